import { sendNotification } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { limits } from '@portal/contracts/shared/rules'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '../../lib/http.ts'
import { keyedRequest, type KeyedRequest } from '../../lib/idempotency-key.ts'
import { randomKey } from '../../lib/random-hex.ts'
import { useSession } from '../../lib/session.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { campaignPath } from './campaign.ts'
import { textFields, type SentText } from './draft.ts'

const subject = 'test-send'

/** Marks the title, so that neither the history nor a phone shows a test as the real one. A long title loses its end. */
export const testTitle = (title: string): string =>
  // A cut must not leave half of a character.
  `Test: ${title.trim()}`.slice(0, limits.titleChars).replace(/[\uD800-\uDBFF]$/, '')

const shownText = (tabs: number): string =>
  tabs === 1 ? 'Your open tab showed it.' : `${tabs} open tabs of yours showed it.`
const notShownText = 'No open tab of yours has shown it yet. If you have registered devices, they get a push.'

type Form = {
  readonly showErrors: (errors: Readonly<Record<string, string>> | undefined) => void
}

/**
 * Sends the notification to the signed-in admin alone, who sees it as a recipient does. It is a send like any other, so it
 * is recorded and counted.
 */
export const useTestSend = ({ showErrors }: Form) => {
  const userId = useSession()?.user._id
  const toast = useToast()
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  /** The last request if it may have been lost. A test that was sent can be sent again. */
  const unanswered = useRef<KeyedRequest>(undefined)

  const report = (notificationId: NotificationId, tabs: number) => {
    if (tabs > 0) toast.success('Test sent to you', { subject, detail: shownText(tabs) })
    else
      toast.success('Test sent to you', {
        subject,
        durationMs: 8000,
        detail: notShownText,
        action: { label: 'View', onPress: () => void navigate(campaignPath(notificationId)) },
      })
  }

  const sendTest = async ({ title, ...text }: SentText) => {
    if (userId === undefined || isSending) return
    const body = { title: testTitle(title), ...text, userIds: [userId] }
    const request = keyedRequest(unanswered.current, body, randomKey)
    setSending(true)
    const answer = await call(sendNotification, { body, headers: { [idempotencyKeyHeader]: request.key } })
    setSending(false)
    unanswered.current = !answer.success && answer.isNetworkError === true ? request : undefined
    if (answer.success) return report(answer.data.notificationId, answer.data.successCount)
    if (textFields.some((name) => answer.errors?.[name] !== undefined)) toast.dismiss(subject)
    else toast.error(answer.message || 'Failed to send notification', { subject })
    showErrors(answer.errors)
  }

  return { isSending, sendTest }
}
