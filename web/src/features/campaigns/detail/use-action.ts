import { cancelNotification, recallNotification, resendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from '../../../lib/drafts.ts'
import { call, type Answer } from '../../../lib/http.ts'
import { randomKey } from '../../../lib/random-hex.ts'
import { useSession } from '../../../lib/session.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { actionNames, type ActionName } from './actions.ts'

type Request = { readonly id: NotificationId; readonly reason: string; readonly key: string }

/** Answers with the server's sentence about what it did. */
const requestAction = (action: ActionName, { id, reason, key }: Request): Promise<Answer<{ message: string }>> => {
  const trimmed = reason.trim()
  const input = { params: { id }, body: trimmed === '' ? {} : { reason: trimmed } }
  switch (action) {
    case 'cancel':
      return call(cancelNotification, input)
    case 'recall':
      return call(recallNotification, input)
    case 'resend':
      return call(resendNotification, { ...input, headers: { [idempotencyKeyHeader]: key } })
  }
}

type Asked = { readonly action: ActionName; readonly reason: string; readonly key: string }

const keptSchema = z.object({ action: z.enum(actionNames), reason: z.string(), key: z.string() })

/** A newer toast about an action replaces the older one. */
const subject = 'campaign-action'

/** An action that waits for its confirmation, and its request. `onDone` runs after each answer, also after a failure. */
export const useAction = (id: NotificationId, onDone: () => void) => {
  const owner = useSession()?.user._id
  const draft = owner && draftKey(owner, `action:${id}`)
  const [asked, setShown] = useState<Asked | undefined>(() => draft && readDraft(draft, keptSchema))
  /** A written reason survives a reload and the end of the session. */
  const setAsked = (next: Asked | undefined) => {
    setShown(next)
    if (draft && next && next.reason !== '') writeDraft(draft, next)
    else if (draft) removeDraft(draft)
  }
  const [busy, setBusy] = useState(false)
  const toast = useToast()

  const confirm = async () => {
    if (!asked) return
    setBusy(true)
    const answer = await requestAction(asked.action, { ...asked, id })
    setBusy(false)
    if (answer.success) toast.success(answer.data.message, { subject, durationMs: 8_000 })
    else toast.error(answer.message || 'This did not work. Please try again.', { subject })
    // After a lost answer the dialog stays, so that a retry has the same key.
    if (answer.success || answer.isNetworkError !== true) setAsked(undefined)
    onDone()
  }

  return {
    asked,
    busy,
    ask: (action: ActionName) => setAsked({ action, reason: '', key: randomKey() }),
    writeReason: (reason: string) => setAsked(asked && { ...asked, reason }),
    cancel: () => setAsked(undefined),
    confirm: () => void confirm(),
  }
}
