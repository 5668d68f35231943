import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { countUnread, listRecentNotifications } from '@portal/contracts/notifications/http'
import { outcomeStates } from '@portal/contracts/notifications/notification'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { z } from 'zod'
import { callRoute, wholeInbox } from '../testing/api-client.ts'
import type { TestUsers, Learner } from './test-users.ts'
import type { Load } from './load.ts'
import type { PortalUnderTest } from './portal-under-test.ts'

/** Counts of violated guarantees; all are 0 if nothing was lost or duplicated. */
export type Findings = {
  /** Missing inbox entries of answered sends. */
  readonly lost: number
  /** Inbox entries without an answered send. */
  readonly unknown: number
  /** Duplicates in a list, or notifications that a tab showed as new twice. */
  readonly shownTwice: number
  readonly pushMissing: number
  readonly pushTwice: number
  /** Inboxes whose unread number, count and list differ. */
  readonly wrongCounts: number
  readonly tabsBehind: number
  /** Recipients without a final delivery status, and sends whose statuses do not add up. */
  readonly pending: number
  readonly wrongSums: number
  readonly readsLost: number
}

export type CheckResult = {
  readonly findings: Findings
  /** Answered sends that the restored log does not contain. */
  readonly goneWithTheLog: ReadonlySet<string>
  /**
   * Repeated pushes of sends whose delivery status the restored copy lacks: the portal cannot know of the first push.
   */
  readonly pushedAgain: number
  /** Readable details, for the JSON. */
  readonly details: readonly string[]
}

/** The time span that the restored log may lack. Sends answered in it may be gone. */
export type Rewind = { readonly fromMs: number; readonly toMs: number }

const lineSchema = z.object({ channel: z.string(), to: z.string(), link: z.string().optional() })

/** Time within which a send is pushed and its delivery status recorded. */
const outcomeWithinMs = 10_000

/** Every push so far, as device and notification. The file belongs to this trial, so it is read whole. */
const pushesOf = async (dataDir: string): Promise<readonly { readonly to: string; readonly id: string }[]> => {
  const text = await readFile(join(dataDir, 'outbox.jsonl'), 'utf8').catch(() => '') // nothing has been sent yet
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => lineSchema.parse(JSON.parse(line)))
    .flatMap(({ channel, to, link = '' }) => (channel === 'push' ? [{ to, id: link.split('/').at(-1) ?? '' }] : []))
}

const historyOf = async (address: string, adminToken: string): Promise<ReadonlyMap<string, SentItem['progress']>> => {
  const progress = new Map<string, SentItem['progress']>()
  for (let page = 1; ; page++) {
    const { notifications, pagination } = await callRoute(address, listRecentNotifications, {
      token: adminToken,
      query: { page, limit: 100 },
    })
    for (const sent of notifications) if ('progress' in sent) progress.set(sent._id, sent.progress)
    if (page >= pagination.totalPages) return progress
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const repeatsOf = (ids: readonly string[]): number => ids.length - new Set(ids).size

const maxDetails = 30

/** Accumulates the comparison of one learner with the server. */
type Comparison = {
  readonly address: string
  readonly load: Load
  readonly expected: ReadonlySet<string>
  isInRewind(answered: { readonly askedMs: number; readonly atMs: number }): boolean
  readonly counts: Record<'lost' | 'unknown' | 'shownTwice' | 'wrongCounts' | 'tabsBehind' | 'readsLost', number>
  note(text: string): void
}

type ServerInbox = Awaited<ReturnType<typeof wholeInbox>>

const checkTabs = ({ counts, note }: Comparison, { name, tabs }: Learner, server: ServerInbox): void => {
  for (const [at, tab] of tabs.entries()) {
    const twice = [...tab.arrivals()].filter(([, times]) => times > 1)
    counts.shownTwice += twice.length
    if (twice.length > 0) note(`${name}, tab ${at + 1}: ${twice[0]?.[0]} arrived ${twice[0]?.[1]} times`)
    if (isDeepStrictEqual(tab.items(), server.items) && tab.unread() === server.unread) continue
    counts.tabsBehind++
    note(
      `${name}, tab ${at + 1}: seq ${tab.seq()} of ${server.seq}, ${tab.items().length} items of ${server.items.length}, ` +
        `unread ${tab.unread()} of ${server.unread}, ${tab.socket.connected ? 'connected' : 'not connected'}`,
    )
  }
}

const checkLearner = async (comparison: Comparison, learner: Learner): Promise<void> => {
  const { address, load, expected, isInRewind, counts, note } = comparison
  const { name, token } = learner
  const server = await wholeInbox(address, token)
  const { count } = await callRoute(address, countUnread, { token })
  const ids = server.items.map(({ _id }) => _id)
  const there = new Set<string>(ids)
  const missing = [...expected].filter((id) => !there.has(id))
  if (missing.length > 0) note(`${name}: ${missing.length} missing, such as ${missing[0]}`)
  counts.lost += missing.length
  const unknown = [...there].filter((id) => !expected.has(id)).length
  // A send without an answer may have been recorded.
  counts.unknown += Math.max(0, unknown - load.unanswered())
  counts.shownTwice += repeatsOf(ids)
  const unread = server.items.filter(({ isRead }) => !isRead).length
  if (unread !== server.unread || unread !== count) {
    counts.wrongCounts++
    note(`${name}: unread ${server.unread}, count ${count}, list ${unread}`)
  }
  const isRead = new Map<string, boolean>(server.items.map((item) => [item._id, item.isRead]))
  counts.readsLost += load.reads.filter(
    (read) => read.learner === name && isRead.get(read.id) === false && !isInRewind(read),
  ).length
  checkTabs(comparison, learner, server)
}

/** Finds the sends without a delivery status in the restored copy, and counts their pushes separately. */
const checkPushes = async (
  { load, expected }: Comparison,
  devices: readonly string[],
  dataDir: string,
  rewind: Rewind | undefined,
) => {
  const pushes = await pushesOf(dataDir)
  const keys = new Set(pushes.map(({ to, id }) => `${to} ${id}`))
  for (const { askedMs, id } of load.answered)
    if (rewind && askedMs < rewind.toMs && askedMs > rewind.fromMs - outcomeWithinMs) load.wasPending.add(id)
  const pushedAgain = repeatsOf(pushes.filter(({ id }) => load.wasPending.has(id)).map(({ to, id }) => `${to} ${id}`))
  const unpushed = devices.flatMap((device) => [...expected].filter((id) => !keys.has(`${device} ${id}`)))
  return { unpushed, pushedAgain, pushTwice: pushes.length - keys.size - pushedAgain }
}

/** Compares every answered request with the current state of the portal. */
export const checkPortal = async (options: {
  readonly portal: PortalUnderTest
  readonly testUsers: TestUsers
  readonly load: Load
  readonly rewind: Rewind | undefined
}): Promise<CheckResult> => {
  const { portal, testUsers, load, rewind } = options
  const { address } = portal
  const details: string[] = []
  const note = (text: string) => void (details.length < maxDetails && details.push(text))
  const history = await historyOf(address, testUsers.adminToken)
  const isInRewind: Comparison['isInRewind'] = ({ askedMs, atMs }) =>
    rewind !== undefined && atMs >= rewind.fromMs && askedMs <= rewind.toMs
  const gone = new Set<string>(
    load.answered.filter((sent) => isInRewind(sent) && !history.has(sent.id)).map(({ id }) => id),
  )
  const expected = new Set<string>(load.answered.map(({ id }) => id).filter((id) => !gone.has(id)))
  const counts = { lost: 0, unknown: 0, shownTwice: 0, wrongCounts: 0, tabsBehind: 0, readsLost: 0 }
  const comparison: Comparison = { address, load, expected, isInRewind, counts, note }
  for (const learner of [...testUsers.learners, ...testUsers.crowd]) await checkLearner(comparison, learner)

  const states = [...history.values()]
  const open = states.filter(({ pending }) => pending > 0)
  if (open.length > 0) note(`${open.length} sends pending, such as ${open[0]?.notificationId}`)
  const wrong = states.filter(
    (progress) => progress.targeted !== progress.pending + sum(outcomeStates.map((state) => progress[state])),
  )
  const devices = testUsers.learners.flatMap(({ device }) => device ?? [])
  const { unpushed, pushedAgain, pushTwice } = await checkPushes(comparison, devices, portal.dataDir, rewind)
  if (unpushed.length > 0) {
    const first = history.get(unpushed[0] ?? '')
    note(`not pushed: ${unpushed.length}, such as ${unpushed[0]} (${JSON.stringify(first)})`)
  }
  const findings = {
    ...counts,
    pushMissing: unpushed.length,
    pushTwice,
    pending: sum(open.map(({ pending }) => pending)),
    wrongSums: wrong.length,
  }
  return { findings, goneWithTheLog: gone, pushedAgain, details }
}

/** Returns true if no guarantee is violated. Lost entries may still arrive later; duplicates stay. */
export const isClean = (findings: Findings): boolean => Object.values(findings).every((number) => number === 0)
