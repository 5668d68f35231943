import { type DraftSummary, getDraft, listDrafts } from '@portal/contracts/notifications/drafts'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { discardSaved } from '../../../lib/saved-draft/draft-link.ts'
import { useSession } from '../../../lib/session.ts'
import { discardSendDraft, sendDraftLinkedTo } from '../kept-draft.ts'
import type { useDraft } from '../use-draft.ts'

type Shown = Pick<ReturnType<typeof useDraft>, 'saved' | 'showKept' | 'putAside' | 'startNew'>

/** The drafts of the signed-in admin, from all devices, of which the form shows one. */
export const useDrafts = ({ saved, showKept, putAside, startNew }: Shown) => {
  const owner = useSession()?.user._id
  const [drafts, setDrafts] = useState<readonly DraftSummary[]>()
  const [error, setError] = useState<string>()

  const load = async () => {
    setError(undefined)
    const answer = await call(listDrafts, {})
    if (answer.success) setDrafts(answer.data.drafts.filter(({ kind }) => kind === 'message'))
    else setError(answer.message)
  }

  /** Returns whether the form shows it. */
  const open = async ({ _id: id }: DraftSummary): Promise<boolean> => {
    const name = owner && sendDraftLinkedTo(owner, id)
    if (name !== undefined) {
      putAside()
      showKept(name)
      saved.switched()
      return true
    }
    const answer = await call(getDraft, { params: { id } })
    if (!answer.success) {
      setError(answer.message)
      return false
    }
    putAside()
    saved.switched({ isNew: true })
    saved.adopt(answer.data.draft)
    return true
  }

  const discard = ({ _id: id }: DraftSummary) => {
    if (!owner) return
    const name = sendDraftLinkedTo(owner, id)
    if (name === undefined) discardSaved(owner, { id })
    else {
      discardSendDraft(owner, name, { isSent: true })
      if (name === saved.name()) startNew()
    }
    setDrafts((known) => known?.filter(({ _id }) => _id !== id))
  }

  return { drafts, error, load, open, discard, startNew }
}
