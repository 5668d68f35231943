import { sendNotificationBody } from '@portal/contracts/notifications/http'
import { notificationTypeSchema, type NotificationType } from '@portal/contracts/notifications/notification'
import type { UserId } from '@portal/contracts/shared/ids'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCheckedForm } from '../../lib/form.ts'
import { isSameRequest, keyedRequest, randomKey, type KeyedRequest } from '../../lib/idempotency-key.ts'
import { atom, useStore } from '../../lib/jotai.ts'
import { useSession } from '../../lib/session.ts'
import { keepUnsentText } from '../../lib/unsent-text.ts'
import { noneChosen, type Chosen } from './recipients.ts'

/** The text fields of the form; the recipients are chosen beside them. */
const textSchema = sendNotificationBody.pick({ title: true, message: true }).extend({ type: notificationTypeSchema })
export type DraftText = { title: string; message: string; type: NotificationType }

/** An unsent notification with the key of its last request, so that it survives a visit to another page or a log-in. */
type Draft = {
  readonly text: DraftText
  readonly chosen: Chosen
  readonly lastRequest: KeyedRequest | undefined
}

const newDraft: Draft = {
  text: { title: '', message: '', type: 'System Maintenance' },
  chosen: noneChosen,
  lastRequest: undefined,
}

/** Whether an admin would miss it. */
const isWorthKeeping = ({ text, chosen }: Draft): boolean => text.title !== '' || text.message !== '' || chosen.size > 0

/** The body of the request. */
const bodyOf = (text: DraftText, chosen: Chosen) => ({ ...text, userIds: [...chosen] })

/** Whether the draft is unchanged since its last request. */
const isLastRequest = ({ text, chosen, lastRequest }: Draft): boolean => {
  const checked = textSchema.safeParse(text)
  return checked.success && isSameRequest(lastRequest, bodyOf(checked.data, chosen))
}

/** In memory only and with its owner, so that another admin on the same device does not see it. */
const draftAtom = atom<{ readonly owner: UserId; readonly draft: Draft } | undefined>(undefined)

/** The draft of the signed-in admin, kept from one visit of the page to the next. */
export const useDraft = () => {
  const owner = useSession()?.user._id
  const store = useStore()
  const [first] = useState(() => {
    const kept = store.get(draftAtom)
    return kept && kept.owner === owner ? kept.draft : newDraft
  })
  const form = useCheckedForm(textSchema, first.text)
  const [chosen, choose] = useState<Chosen>(first.chosen)
  /** Increases with each new draft: it remounts the recipient list, including its search. */
  const [round, setRound] = useState(1)
  const lastRequest = useRef(first.lastRequest)
  const { getValues, reset } = form

  const current = useEffectEvent((): Draft => ({ text: getValues(), chosen, lastRequest: lastRequest.current }))
  const keep = useEffectEvent(() => {
    if (!owner) return
    const draft = current()
    store.set(draftAtom, { owner, draft })
    keepUnsentText(isWorthKeeping(draft))
  })
  useEffect(() => () => keep(), [])

  const startNewDraft = useCallback(() => {
    lastRequest.current = undefined
    reset(newDraft.text)
    choose(newDraft.chosen)
    setRound((n) => n + 1)
  }, [reset])

  // The request of an earlier visit may be answered during this one.
  useEffect(
    () =>
      store.sub(draftAtom, () => {
        if (!store.get(draftAtom) && isLastRequest(current())) startNewDraft()
      }),
    [store, startNewDraft],
  )

  /** The body to send and its idempotency key. */
  const toSend = (text: DraftText) => {
    const body = bodyOf(text, chosen)
    const { key } = (lastRequest.current = keyedRequest(lastRequest.current, body, randomKey))
    return { body, key }
  }

  /** Drops the sent draft, also where the page has been left since. */
  const sent = (key: string) => {
    if (store.get(draftAtom)?.draft.lastRequest?.key === key) {
      store.set(draftAtom, undefined)
      keepUnsentText(false)
    }
    startNewDraft()
  }

  return { form, round, chosen, choose, toSend, sent }
}
