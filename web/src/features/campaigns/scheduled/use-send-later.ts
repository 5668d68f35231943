import { discarded, takenBack } from '@portal/contracts/notifications/errors'
import { sendNotification } from '@portal/contracts/notifications/http'
import {
  changeScheduledNotification,
  discardScheduledNotification,
} from '@portal/contracts/notifications/scheduled-send'
import { sendAtError } from '@portal/contracts/notifications/send-time'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, type Failure } from '../../../lib/http.ts'
import { serverNowMs } from '../../../lib/server-clock.ts'
import { useSession } from '../../../lib/session.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import type { Draft, SentText } from '../draft.ts'
import { sendSubject as subject } from '../held/use-held-sends.ts'
import { anotherSendDraft, keepSendDraft } from '../kept-draft.ts'
import type { useDraft } from '../use-draft.ts'
import { firstFields, fieldsOf, sendAtMsOf, type TimeFields } from './send-time.ts'
import { useEditedSchedule } from './use-edited-schedule.ts'

type SendLaterOptions = Pick<ReturnType<typeof useDraft>, 'form' | 'rule' | 'toSend' | 'replaceWith' | 'finish'> & {
  /** A send was scheduled, or one that was is changed or discarded. */
  readonly onScheduled: (isNew: boolean) => void
  readonly onFailed: (failure: Failure) => void
}

/** The time of a send for later, and the request that schedules it or changes what is scheduled. */
export const useSendLater = ({ form, rule, toSend, replaceWith, finish, ...options }: SendLaterOptions) => {
  const owner = useSession()?.user._id
  const toast = useToast()
  const { edited, end } = useEditedSchedule(replaceWith)
  const [fields, setFields] = useState<TimeFields>()
  const [error, setError] = useState<string>()
  const [followed, setFollowed] = useState(edited)
  if (followed !== edited) {
    setFollowed(edited)
    setFields(edited && fieldsOf(edited.sendAtMs))
    setError(undefined)
  }
  // On a phone, the list is below the form.
  const { setFocus } = form
  useEffect(() => {
    if (edited) setFocus('title')
  }, [edited, setFocus])

  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  /** When it is sent; undefined, with a message, if that is not possible. */
  const check = (): string | undefined => {
    const sendAtMs = fields && sendAtMsOf(fields)
    const message =
      sendAtMs === undefined ? 'Please choose a date and a time' : sendAtError(sendAtMs, serverNowMs())?.message
    setError(message)
    return sendAtMs === undefined || message !== undefined ? undefined : new Date(sendAtMs).toISOString()
  }

  const undo = useEffectEvent(async (id: NotificationId, draft: Draft) => {
    const answer = await call(discardScheduledNotification, { params: { id }, outlivesPage: true })
    if (!answer.success) return toast.error(answer.message, { subject })
    options.onScheduled(false)
    if (isMounted.current) replaceWith(draft)
    else if (owner) keepSendDraft(owner, draft, anotherSendDraft())
  })

  const request = async (text: SentText, count: number, sendAt: string) => {
    const post = async (isAnother: boolean) => {
      const { body, request: keyed } = toSend(text, count, { isAnother, sendAt })
      const headers = { [idempotencyKeyHeader]: keyed.key }
      return call(sendNotification, { body: { ...body, sendAt }, headers, outlivesPage: true })
    }
    if (edited) {
      const { body } = toSend(text, count, { sendAt })
      const { id, version } = edited
      return call(changeScheduledNotification, { params: { id }, body: { ...body, sendAt, version } })
    }
    const answer = await post(false)
    // The same was confirmed before, and taken back or discarded elsewhere.
    const isOver = !answer.success && [takenBack.message, discarded.message].includes(answer.message)
    return isOver ? post(true) : answer
  }

  const schedule = async (text: SentText, count: number, sendAt: string): Promise<void> => {
    const draft: Draft = { text: form.getValues(), rule, lastRequest: undefined }
    const answer = await request(text, count, sendAt)
    if (!answer.success) {
      setError(answer.errors?.['sendAt'])
      return options.onFailed(answer)
    }
    const { message, notificationId } = answer.data
    // What was changed is still scheduled as it was before, so there is nothing to discard.
    const offered = edited ? {} : { undo: { onUndo: () => void undo(notificationId, draft) } }
    toast.success(message, { subject, ...offered })
    setFields(undefined)
    finish()
    if (edited) end()
    options.onScheduled(!edited)
  }

  return {
    /** Undefined while it is sent at once. */
    fields,
    error,
    edited,
    change: (next: TimeFields) => {
      setFields(next)
      setError(undefined)
    },
    begin: () => setFields(firstFields(serverNowMs())),
    /** Sends at once again, or leaves what is scheduled as it is. */
    cancel: () => {
      setFields(undefined)
      setError(undefined)
      if (!edited) return
      finish()
      end()
    },
    check,
    schedule,
  }
}
export type SendLater = ReturnType<typeof useSendLater>
