import { campaignTextSchema, sendNotification, sendNotificationBody } from '@portal/contracts/notifications/http'
import { notificationTypeSchema, type NotificationType } from '@portal/contracts/notifications/notification'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import type { UserId } from '@portal/contracts/shared/ids'
import { useCallback, useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { useValidatedForm } from '../../lib/form.ts'
import { call } from '../../lib/http.ts'
import { isSameRequest, keyedRequest, randomKey, type KeyedRequest } from '../../lib/idempotency-key.ts'
import { atom, useStore } from 'jotai'
import { useSession } from '../../lib/session.ts'
import { keepUnsentText } from '../../lib/load-module.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { formatCount } from './progress.ts'
import { confirmAbove, noneChosen, type Chosen } from './recipients.ts'

/** The text fields of the form; the recipients are chosen beside them. */
const textSchema = campaignTextSchema.pick({ title: true, message: true }).extend({ type: notificationTypeSchema })
type DraftText = { title: string; message: string; type: NotificationType }

/** An unsent notification with the idempotency key of its last request. It survives a visit to another page and a login. */
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

/** Whether the draft contains anything. */
const hasContent = ({ text, chosen }: Draft): boolean => text.title !== '' || text.message !== '' || chosen.size > 0

/** The body of the request. */
const bodyOf = (text: DraftText, chosen: Chosen) => ({ ...text, userIds: [...chosen] })

/** Whether the draft is unchanged since its last request. */
const isLastRequest = ({ text, chosen, lastRequest }: Draft): boolean => {
  const checked = textSchema.safeParse(text)
  return checked.success && isSameRequest(lastRequest, bodyOf(checked.data, chosen))
}

/** In memory only and tied to its owner, so that another admin on the same device does not see it. */
const draftAtom = atom<{ readonly owner: UserId; readonly draft: Draft } | undefined>(undefined)

/** The draft of the signed-in admin, kept from one visit of the page to the next. */
const useDraft = () => {
  const owner = useSession()?.user._id
  const store = useStore()
  const [first] = useState(() => {
    const stored = store.get(draftAtom)
    return stored && stored.owner === owner ? stored.draft : newDraft
  })
  const form = useValidatedForm(textSchema, first.text)
  const [chosen, choose] = useState<Chosen>(first.chosen)
  /** Increases with each new draft: it remounts the recipient list, including its search. */
  const [round, setRound] = useState(1)
  const lastRequest = useRef(first.lastRequest)
  const { getValues, reset } = form

  const current = useEffectEvent((): Draft => ({ text: getValues(), chosen, lastRequest: lastRequest.current }))
  const storeDraft = useEffectEvent(() => {
    if (!owner) return
    const draft = current()
    store.set(draftAtom, { owner, draft })
    keepUnsentText(hasContent(draft))
  })
  useEffect(() => () => storeDraft(), [])

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

  /** Discards the sent draft, even if the user has left the page since. */
  const sent = (key: string) => {
    if (store.get(draftAtom)?.draft.lastRequest?.key === key) {
      store.set(draftAtom, undefined)
      keepUnsentText(false)
    }
    startNewDraft()
  }

  return { form, round, chosen, choose, toSend, sent }
}

/** `successCount` counts only devices with an open portal, so the number of inboxes is shown, too. */
const inboxesText = (people: number): string =>
  `It is in the inbox of ${formatCount(people)} ${people === 1 ? 'person' : 'people'}.`

/** The send form: its text, the chosen recipients, and the request that sends it. */
export const useCompose = (onSent: () => void) => {
  const { form, round, chosen, choose, toSend, sent } = useDraft()
  const [chosenError, setChosenError] = useState<string>()
  /** The text that waits for a confirmation, because it has many recipients. */
  const [textToConfirm, setTextToConfirm] = useState<DraftText>()
  const [busy, setBusy] = useState(false)
  /** The connection failed before the response, so the notification may or may not have been sent. */
  const [uncertain, setUncertain] = useState(false)
  const searchRef = useRef<HTMLInputElement>(null)
  const toast = useToast()

  const chooseRecipients = (next: Chosen) => {
    choose(next)
    setChosenError(undefined)
  }

  const checkChosen = (): boolean => {
    const result = sendNotificationBody.shape.userIds.safeParse([...chosen])
    setChosenError(result.error?.issues[0]?.message)
    return result.success
  }

  const sendNow = async (text: DraftText) => {
    const { body, key } = toSend(text)
    setBusy(true)
    const answer = await call(sendNotification, { body, headers: { [idempotencyKeyHeader]: key } })
    setBusy(false)
    setUncertain(!answer.success && answer.isNetworkError === true)
    if (!answer.success) {
      toast.error(answer.message || 'Failed to send notification')
      form.showErrors(answer.errors)
      setChosenError(answer.errors?.['userIds'])
      return
    }
    const { successCount, targeted } = answer.data
    toast.success(`Notification sent successfully to ${successCount} devices`, { detail: inboxesText(targeted) })
    sent(key)
    onSent()
  }

  const sendOrConfirm = async (text: DraftText) => {
    if (!checkChosen()) searchRef.current?.focus()
    else if (chosen.size > confirmAbove) setTextToConfirm(text)
    else await sendNow(text)
  }

  /** Reports everything that is invalid at once. */
  const submit = (event: FormEvent) => void form.handleSubmit(sendOrConfirm, () => void checkChosen())(event)

  const confirmation = {
    isOpen: textToConfirm !== undefined,
    cancel: () => setTextToConfirm(undefined),
    confirm: () => {
      setTextToConfirm(undefined)
      if (textToConfirm) void sendNow(textToConfirm)
    },
  }

  return {
    form,
    round,
    chosen,
    choose: chooseRecipients,
    chosenError,
    searchRef,
    busy,
    uncertain,
    submit,
    confirmation,
  }
}
