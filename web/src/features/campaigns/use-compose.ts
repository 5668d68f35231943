import { sendNotification, sendNotificationBody } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import { limits } from '@portal/contracts/shared/rules'
import { useRef, useState, type FormEvent } from 'react'
import { call, maxKeepaliveChars } from '../../lib/http.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { audienceOf, type Rule } from './audience/rule.ts'
import { useAudienceCount, useRuleCount } from './audience/use-audience-count.ts'
import { textFields, type SentText } from './draft.ts'
import { formatCount, peopleText } from './progress.ts'
import { useDraft } from './use-draft.ts'
import { usePrefill } from './use-prefill.ts'
import { useSendHold } from './use-send-hold.ts'
import { useTestSend } from './use-test-send.ts'

/** `successCount` counts only recipients with an open portal, so the number of inboxes is shown, too. */
const inboxesText = (targeted: number, successCount: number): string => {
  // Larger sends are distributed in the background.
  if (targeted > limits.recipientsPerSend) return `It is being delivered to ${formatCount(targeted)} inboxes.`
  const seen = successCount === 0 ? '' : `; ${formatCount(successCount)} saw it on screen`
  return `${peopleText(targeted)} ${targeted === 1 ? 'has' : 'have'} it in their inbox${seen}.`
}

/** A newer toast about a send replaces the older one. */
const subject = 'send'

/** The fields that show their errors. */
const shownErrors = [...textFields, 'userIds', 'audience'] as const

const leftOutText = (leftOut: number, isReminder: boolean): string => {
  const people = `${peopleText(leftOut)} ${leftOut === 1 ? 'has' : 'have'}`
  const were = leftOut === 1 ? 'was' : 'were'
  return isReminder
    ? `${people} read it meanwhile and ${were} left out.`
    : `${peopleText(leftOut)} no longer ${leftOut === 1 ? 'matches' : 'match'} and ${were} left out.`
}

/** The message if the rule cannot be sent. */
const ruleErrorOf = (rule: Rule): string | undefined => {
  const { userIds, audience } = sendNotificationBody.shape
  const wanted = audienceOf(rule)
  return (
    userIds.safeParse(wanted.include?.slice()).error?.issues[0]?.message ??
    audience.safeParse(wanted).error?.issues[0]?.message
  )
}

/** What waits for a confirmation. A new object is counted again. */
type ToConfirm = { readonly text: SentText; readonly audience: ReturnType<typeof audienceOf> }

/** The send form: its text, the chosen recipients, and the request that sends it. */
export const useCompose = (onSent: () => void) => {
  // Before the draft: on leaving the page, the send starts before the draft is stored, which then knows its request.
  const { held, hold, finish, undo } = useSendHold()
  const { form, round, rule, setRule, toSend, sent, replaceWith, restore } = useDraft()
  usePrefill(replaceWith)
  const count = useRuleCount(rule)
  const [ruleError, setRuleError] = useState<string>()
  const [toConfirm, setToConfirm] = useState<ToConfirm>()
  const freshCount = useAudienceCount(toConfirm)
  const [busy, setBusy] = useState(false)
  /** The connection failed before the response, so the notification may or may not have been sent. */
  const [uncertain, setUncertain] = useState(false)
  const searchRef = useRef<HTMLInputElement>(null)
  const toast = useToast()

  const { isSending: isTesting, sendTest } = useTestSend(form)

  const changeRule = (next: Rule) => {
    setRule(next)
    setRuleError(undefined)
  }

  const checkRule = (): boolean => {
    const error = ruleErrorOf(rule)
    setRuleError(error)
    return error === undefined
  }

  const post = async (text: SentText, expectedCount: number) => {
    const { body, key } = toSend(text, expectedCount)
    setBusy(true)
    const answer = await call(sendNotification, { body, headers: { [idempotencyKeyHeader]: key } })
    setBusy(false)
    setUncertain(!answer.success && answer.isNetworkError === true)
    if (!answer.success) {
      if (shownErrors.some((name) => answer.errors?.[name] !== undefined)) toast.dismiss(subject)
      else toast.error(answer.message || 'Failed to send notification', { subject })
      form.showErrors(answer.errors)
      setRuleError(answer.errors?.['userIds'] ?? answer.errors?.['audience'])
      return
    }
    const { successCount, targeted, leftOut = 0 } = answer.data
    const detail = [
      inboxesText(targeted, successCount),
      ...(leftOut > 0 ? [leftOutText(leftOut, rule.unreadOf !== undefined)] : []),
    ]
    toast.success(`Notification sent successfully to ${successCount} devices`, { subject, detail: detail.join(' ') })
    sent(key)
    onSent()
  }

  const askToConfirm = (text: SentText) => {
    if (checkRule()) setToConfirm({ text, audience: audienceOf(rule) })
    else searchRef.current?.focus()
  }

  /** Reports everything that is invalid at once. */
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!busy && !held && !toConfirm) void form.handleSubmit(askToConfirm, () => void checkRule())(event)
  }

  /** Needs no recipients, and leaves the draft as it is. */
  const submitTest = () => void form.handleSubmit(sendTest)()

  const confirmation = {
    text: toConfirm?.text,
    count: freshCount,
    cancel: () => setToConfirm(undefined),
    confirm: () => {
      setToConfirm(undefined)
      if (!toConfirm || !freshCount.data) return
      const { text, audience } = toConfirm
      const { count: people } = freshCount.data
      const needsPage = JSON.stringify([text, audience]).length > maxKeepaliveChars
      hold({ count: people, needsPage, send: () => post(text, people) })
    },
  }

  return {
    form,
    round,
    rule,
    changeRule,
    ruleError,
    count,
    searchRef,
    busy,
    isTesting,
    uncertain,
    restore,
    submit,
    submitTest,
    confirmation,
    held,
    sendNow: finish,
    undo,
  }
}
