import type { TestOutcome } from '@portal/contracts/notifications/devices'
import { expect, it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { createRemoteTestPush, onTestPushes, type TestPush } from './test-push.ts'

const device = { userId: userIdAt(1), tokenIndex: 'index', testId: 'test' }

/** Processes that deliver, of which a leader has a test push. */
const processesWith = (...testPushes: readonly (TestPush | undefined)[]) => {
  const handlers: ((message: unknown) => Promise<unknown>)[] = []
  for (const testPush of testPushes)
    onTestPushes({ onRequest: (_subject, respond) => void handlers.push(respond) }, () => testPush)
  return {
    request: (_subject: string, message: unknown) => Promise.all(handlers.map((handle) => handle(message))),
  }
}
const answering =
  (outcome: TestOutcome, pushed: unknown[] = []): TestPush =>
  async (asked) => {
    pushed.push(asked)
    return outcome
  }

it('the process that leads pushes the test and answers', async () => {
  const pushed: unknown[] = []
  const testPush = createRemoteTestPush(processesWith(undefined, answering('failed', pushed), undefined))
  expect(await testPush(device)).toBe('failed')
  expect(pushed).toEqual([device])
})

it.each([
  ['no process delivers', processesWith()],
  ['none leads', processesWith(undefined, undefined)],
  ['the answer is unknown', { request: async () => ['of a later release'] }],
])('the outcome is “unavailable” while %s', async (_, peers) => {
  expect(await createRemoteTestPush(peers)(device)).toBe('unavailable')
})
