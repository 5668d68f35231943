import { peerSubjects } from '@portal/contracts/notifications/peers'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { createRemoteSeenCounter, createRemoteSeenSource, onSeenReports } from './seen-reports.ts'

const logger = pino({ level: 'silent' })
const answering = (...answers: readonly unknown[]) => {
  const questions: unknown[] = []
  return {
    questions,
    request: async (subject: string, question: unknown) => (questions.push([subject, question]), answers),
  }
}

describe('the seen count of several gateways', () => {
  it('are added up, and an invalid number counts as 0', async () => {
    const peers = answering(2, 'many', 3, -1, null)
    const seenCounter = createRemoteSeenCounter(peers)
    expect(await seenCounter.wait(notificationIdAt(1), [userIdAt(1), userIdAt(2)], 1_500)).toBe(5)
    expect(peers.questions).toEqual([
      [
        peerSubjects.seenCount,
        { notificationId: notificationIdAt(1), userIds: [userIdAt(1), userIdAt(2)], timeoutMs: 1_500 },
      ],
    ])
  })
  it('are 0 if no gateway responds', async () => {
    expect(await createRemoteSeenCounter(answering()).wait(notificationIdAt(1), [userIdAt(1)], 1_500)).toBe(0)
  })
})

describe('seen reports of several gateways', () => {
  it('are combined, including a user connected to both', async () => {
    const peers = answering([[userIdAt(1), 3, 'e1']], 'nonsense', [
      [userIdAt(1), 5, 'e1'],
      // From a gateway of an earlier release.
      [userIdAt(2), 1],
    ])
    expect(await createRemoteSeenSource(peers, logger).upTo([userIdAt(1), userIdAt(2)])).toEqual([
      [userIdAt(1), 3, 'e1'],
      [userIdAt(1), 5, 'e1'],
      [userIdAt(2), 1, ''],
    ])
  })
  it('are requested in parts for very many users', async () => {
    const peers = answering()
    await createRemoteSeenSource(peers, logger).upTo(Array.from({ length: 20_001 }, (_, n) => userIdAt(n)))
    expect(peers.questions).toHaveLength(3)
  })
  it('are received by broadcast, and invalid ones are skipped', () => {
    const listeners: ((message: unknown) => void)[] = []
    const heard: unknown[] = []
    const peers = { onBroadcast: (_subject: string, listen: (message: unknown) => void) => void listeners.push(listen) }
    onSeenReports(peers, (...report) => heard.push(report), logger)
    for (const listen of listeners) {
      listen([[userIdAt(1), 3, 'e1']])
      listen([[userIdAt(1), 'x', 'e1']])
    }
    expect(heard).toEqual([[userIdAt(1), 3, 'e1']])
  })
})
