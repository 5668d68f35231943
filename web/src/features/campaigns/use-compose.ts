import { sendNotificationBody } from '@portal/contracts/notifications/http'
import { useRef, useState, type FormEvent } from 'react'
import { useToast } from '../../ui/toast/atoms.ts'
import { send } from './api.ts'
import type { DraftText } from './draft.ts'
import { asksAbove, type Chosen } from './recipients.ts'
import { useDraft } from './draft.ts'

/** Devices are counted only while the portal is open on them; the inboxes say who gets it. */
const inboxesText = (people: number): string =>
  `It is in the inbox of ${new Intl.NumberFormat('en-IN').format(people)} ${people === 1 ? 'person' : 'people'}.`

/** The form of a send: its text, the chosen recipients, and the request that sends it. */
export const useCompose = (onSent: () => void) => {
  const { form, round, chosen, choose, toSend, sent } = useDraft()
  const [chosenError, setChosenError] = useState<string>()
  /** A text for so many recipients that a question comes first. */
  const [asking, setAsking] = useState<DraftText>()
  const [busy, setBusy] = useState(false)
  /** The connection failed before the answer came: perhaps it was sent, perhaps not. */
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
    const answer = await send(body, key)
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

  const sendOrAsk = async (text: DraftText) => {
    if (!checkChosen()) searchRef.current?.focus()
    else if (chosen.size > asksAbove) setAsking(text)
    else await sendNow(text)
  }

  /** Reports everything that is invalid at once. */
  const submit = (event: FormEvent) => void form.handleSubmit(sendOrAsk, () => void checkChosen())(event)

  const question = {
    isOpen: asking !== undefined,
    callOff: () => setAsking(undefined),
    confirm: () => {
      setAsking(undefined)
      if (asking) void sendNow(asking)
    },
  }

  return { form, round, chosen, choose: chooseRecipients, chosenError, searchRef, busy, uncertain, submit, question }
}
