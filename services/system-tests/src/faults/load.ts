import { setTimeout as pause } from 'node:timers/promises'
import { readAllNotifications, readNotification, sendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { callRoute } from '../testing/api-client.ts'
import type { TestUsers, Learner } from './test-users.ts'

/** `askedMs`: start of the attempt that was answered. */
type Answered = { readonly id: string; readonly askedMs: number; readonly atMs: number }

/** Answered requests, whose effects must persist. */
export type AnswerRecord = {
  readonly answered: Answered[]
  /** Notifications whose read or mark-all request was answered, by learner name. */
  readonly reads: (Answered & { readonly learner: string })[]
  /** Sends whose delivery status a restored log lacked. */
  readonly wasPending: Set<string>
}
export const newRecord = (): AnswerRecord => ({ answered: [], reads: [], wasPending: new Set() })

/** Drops requests that were lost with a restored log, so that later trials do not expect them. */
export const dropRecords = ({ answered, reads }: AnswerRecord, ids: ReadonlySet<string>): void => {
  for (const list of [answered, reads]) list.splice(0, list.length, ...list.filter(({ id }) => !ids.has(id)))
}

/** The load of a trial: sends that are repeated with their idempotency key until answered, reads and mark-alls. */
export type Load = {
  readonly answered: readonly Answered[]
  readonly reads: AnswerRecord['reads']
  readonly wasPending: AnswerRecord['wasPending']
  /** Failed attempts by response. */
  readonly failures: ReadonlyMap<string, number>
  /** Number of sends that were never answered. */
  unanswered(): number
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

const senders = 2
const retryMs = 250
const readPauseMs = 700
const markPauseMs = 3_000
const giveUpMs = 30_000

export const startLoad = (options: {
  readonly address: string
  readonly testUsers: TestUsers
  readonly name: string
  readonly sendPauseMs: number
  readonly record: AnswerRecord
}): Load => {
  const { address, testUsers, name, sendPauseMs, record } = options
  const { answered, reads, wasPending } = record
  const userIds = [...testUsers.learners, ...testUsers.crowd].map(({ userId }) => userId)
  const failures = new Map<string, number>()
  let state: 'running' | 'paused' | 'stopped' = 'running'
  let giveUpAtMs = Infinity
  let inFlight = 0
  let unanswered = 0
  let next = 1

  const attempt = async (n: number): Promise<boolean> => {
    const askedMs = Date.now()
    try {
      const { notificationId } = await callRoute(address, sendNotification, {
        token: testUsers.adminToken,
        headers: { [idempotencyKeyHeader]: `${name}-${n}` },
        body: { userIds, title: `Send ${n}`, message: 'Text', type: 'General', isUrgent: true },
      })
      answered.push({ id: notificationId, askedMs, atMs: Date.now() })
      return true
    } catch (error) {
      const text = String(error)
      const kind = /: (\d{3}) /.exec(text)?.[1] ?? text.slice(0, 40)
      failures.set(kind, (failures.get(kind) ?? 0) + 1)
      return false // the idempotency key resolves whether it was recorded
    }
  }
  const sender = async () => {
    while (state !== 'stopped') {
      if (state === 'paused') {
        await pause(50)
        continue
      }
      const n = next++
      inFlight++
      while (!(await attempt(n))) {
        if (Date.now() > giveUpAtMs) {
          unanswered++
          break
        }
        await pause(retryMs)
      }
      inFlight--
      await pause(sendPauseMs)
    }
  }

  const markRead = async ({ token, tabs, name: learner }: Learner) => {
    const item = tabs[0]?.items().find(({ isRead }) => !isRead)
    if (!item) return
    const askedMs = Date.now()
    await callRoute(address, readNotification, { token, params: { id: item._id } })
    reads.push({ learner, id: item._id, askedMs, atMs: Date.now() })
  }
  const markAll = async ({ token, tabs, name: learner }: Learner) => {
    // Later notifications may be marked too; these certainly are.
    const covered = (tabs[0]?.items() ?? []).filter(({ isRead }) => !isRead).map(({ _id }) => _id)
    const askedMs = Date.now()
    await callRoute(address, readAllNotifications, { token })
    for (const id of covered) reads.push({ learner, id, askedMs, atMs: Date.now() })
  }
  const repeat = async (learner: Learner | undefined, work: (learner: Learner) => Promise<void>, pauseMs: number) => {
    while (learner && state !== 'stopped') {
      if (state === 'running') await work(learner).catch(() => undefined) // a failed read creates no expectation
      await pause(pauseMs)
    }
  }

  const running = Promise.all([
    ...Array.from({ length: senders }, sender),
    repeat(testUsers.learners[0], markRead, readPauseMs),
    repeat(testUsers.learners[1], markAll, markPauseMs),
  ])
  return {
    answered,
    reads,
    wasPending,
    failures,
    unanswered: () => unanswered,
    pause: async () => {
      state = 'paused'
      while (inFlight > 0) await pause(20)
    },
    resume: () => {
      state = 'running'
    },
    stop: async () => {
      state = 'stopped'
      giveUpAtMs = Date.now() + giveUpMs
      await running
    },
  }
}
