import { takenBack } from '@portal/contracts/notifications/errors'
import { holdNotification } from '@portal/contracts/notifications/held-send'
import { sendNotificationBody } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { call, type Failure } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { audienceOf, type Rule } from './audience/rule.ts'
import { useAudienceCount, useRuleCount } from './audience/use-audience-count.ts'
import { textFields, type SentText } from './draft.ts'
import { endedSendAtom, heldSendOf, heldSendsAtom } from './held/held-sends.ts'
import { sendSubject as subject } from './held/use-held-sends.ts'
import { peopleText } from './progress.ts'
import { useSendLater } from './scheduled/use-send-later.ts'
import { useDraft } from './use-draft.ts'
import { usePrefill } from './use-prefill.ts'
import { useTestSend } from './use-test-send.ts'

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
type ToConfirm = {
  readonly text: SentText
  readonly audience: ReturnType<typeof audienceOf>
  /** At once if absent. */
  readonly sendAt?: string
}

/** The send form: its text, the chosen recipients, and the request that sends it. */
type ComposeOptions = { readonly onSent: () => void; readonly onScheduled: (isNew: boolean) => void }

export const useCompose = ({ onSent, onScheduled }: ComposeOptions) => {
  const draft = useDraft()
  const { form, round, rule, setRule, toSend, confirmed, forgetRequest, heldAs, isUnanswered, replaceWith, restore } =
    draft
  const owner = useSession()?.user._id
  const setHeld = useSetAtom(heldSendsAtom)
  const store = useStore()
  const heldSends = useAtomValue(heldSendsAtom)
  const isHeld = heldSends.some(({ notificationId }) => notificationId === heldAs)
  usePrefill(replaceWith)
  const count = useRuleCount(rule)
  const [ruleError, setRuleError] = useState<string>()
  const [toConfirm, setToConfirm] = useState<ToConfirm>()
  const freshCount = useAudienceCount(toConfirm)
  const [busy, setBusy] = useState(false)
  /** The connection failed before the response, so the notification may or may not have been sent. */
  const [uncertain, setUncertain] = useState(isUnanswered)
  const searchRef = useRef<HTMLInputElement>(null)
  const toast = useToast()

  const onEnded = useEffectEvent(() => {
    if (store.get(endedSendAtom)?.outcome === 'sent') onSent()
  })
  useEffect(() => store.sub(endedSendAtom, () => onEnded()), [store])

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

  const showFailure = (failure: Failure) => {
    if (failure.code === 'conflict') forgetRequest()
    if (shownErrors.some((name) => failure.errors?.[name] !== undefined)) toast.dismiss(subject)
    else toast.error(failure.message || 'Failed to send notification', { subject })
    form.showErrors(failure.errors)
    setRuleError(failure.errors?.['userIds'] ?? failure.errors?.['audience'])
  }
  const later = useSendLater({ ...draft, onScheduled, onFailed: showFailure })

  const hold = async (...what: Parameters<typeof toSend>) => {
    const { body, request } = toSend(...what)
    const headers = { [idempotencyKeyHeader]: request.key }
    return { request, answer: await call(holdNotification, { body, headers, outlivesPage: true }) }
  }

  const post = async (text: SentText, expectedCount: number) => {
    setBusy(true)
    let { request, answer } = await hold(text, expectedCount)
    // The same was confirmed before, and taken back elsewhere.
    if (!answer.success && answer.message === takenBack.message)
      ({ request, answer } = await hold(text, expectedCount, { isAnother: true }))
    setBusy(false)
    setUncertain(!answer.success && answer.isNetworkError === true)
    if (!answer.success) return showFailure(answer)
    const { leftOut = 0, ...held } = answer.data
    const own = leftOut > 0 ? { leftOut: leftOutText(leftOut, rule.unreadOf !== undefined) } : {}
    confirmed(request, held.notificationId)
    if (owner)
      setHeld((known) => [
        ...known.filter(({ notificationId }) => notificationId !== held.notificationId),
        heldSendOf(held, owner, own),
      ])
  }

  const schedule = async (...what: Parameters<typeof later.schedule>) => {
    setBusy(true)
    await later.schedule(...what)
    setBusy(false)
  }

  const askToConfirm = (text: SentText) => {
    const sendAt = later.fields && later.check()
    const isTimed = later.fields === undefined || sendAt !== undefined
    if (!checkRule()) searchRef.current?.focus()
    else if (isTimed) setToConfirm({ text, audience: audienceOf(rule), ...(sendAt !== undefined && { sendAt }) })
  }

  /** Reports everything that is invalid at once. */
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!busy && !isHeld && !toConfirm) void form.handleSubmit(askToConfirm, () => void checkRule())(event)
  }

  /** Needs no recipients, and leaves the draft as it is. */
  const submitTest = () => void form.handleSubmit(sendTest)()

  const confirmation = {
    sending: toConfirm,
    count: freshCount,
    cancel: () => setToConfirm(undefined),
    confirm: () => {
      setToConfirm(undefined)
      if (!toConfirm || !freshCount.data) return
      const { text, sendAt } = toConfirm
      void (sendAt === undefined ? post(text, freshCount.data.count) : schedule(text, freshCount.data.count, sendAt))
    },
  }

  return {
    draft,
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
    heldAs,
    isHeld,
    later,
  }
}
