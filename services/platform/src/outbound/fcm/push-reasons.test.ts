import { explainDelivery } from '@portal/contracts/notifications/delivery-reasons'
import { AppErrorCode } from 'firebase-admin/app'
import { MessagingErrorCode } from 'firebase-admin/messaging'
import { expect, it } from 'vitest'

/** Errors of calls that the portal does not make: topics, and opening an app. */
const neverRecorded: ReadonlySet<string> = new Set([
  'topics-message-rate-exceeded',
  'topics-subscription-rate-exceeded',
  'too-many-topics',
  'app-deleted',
  'duplicate-app',
  'invalid-app-name',
  'invalid-app-options',
  'no-app',
])

const codes = [...new Set<string>([...Object.values(MessagingErrorCode), ...Object.values(AppErrorCode)])]

it('each code is explained to admins', () => {
  expect(codes.length).toBeGreaterThan(20)
  const unexplained = codes.filter((code) => {
    const sentence = explainDelivery('failed', code)
    return !neverRecorded.has(code) && (!/^It is in the inbox\. .+\. .+\.$/.test(sentence) || sentence.includes(code))
  })
  expect(unexplained).toEqual([])
})
