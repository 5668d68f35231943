import { testDevice, type Device } from '@portal/contracts/notifications/devices'
import { call } from '../../lib/http.ts'
import { registeredPushWorker } from './push-worker.ts'

/** `shownAfterMs` is absent if another device shows it, or if this one has not within the wait. */
export type TestResult =
  | { readonly kind: 'accepted'; readonly shownAfterMs?: number }
  | { readonly kind: 'gone' | 'failed'; readonly message: string }

const waitMs = 10_000
const pollMs = 100

/** Whether the browser shows a notification with this tag, at the latest after the wait. */
const isShownSoon = async (tag: string, startedAtMs: number): Promise<boolean> => {
  const worker = await registeredPushWorker()
  while (performance.now() - startedAtMs < waitMs) {
    if ((await worker?.getNotifications({ tag }))?.length) return true
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return false
}

/** Sends a test. On this device, also waits until it is shown. */
export const sendTest = async ({ id, isThis }: Device): Promise<TestResult> => {
  const startedAtMs = performance.now()
  const answer = await call(testDevice, { params: { id } })
  if (!answer.success) return { kind: answer.code === 'not-found' ? 'gone' : 'failed', message: answer.message }
  const { outcome, message, testId } = answer.data
  if (outcome === 'unregistered') return { kind: 'gone', message }
  if (outcome !== 'accepted') return { kind: 'failed', message }
  if (!isThis || !(await isShownSoon(testId, startedAtMs))) return { kind: 'accepted' }
  return { kind: 'accepted', shownAfterMs: performance.now() - startedAtMs }
}
