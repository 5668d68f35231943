import { join } from 'node:path'
import { listNotifications, listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { recordPostponed } from '@portal/notifications/delivery/record-outcomes'
import { decidedSend } from '@portal/notifications/testing/memory-log'
import { notificationIdAt, sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import type { EventStore, NewEvent } from '@portal/platform/event-store/port'
import { v7 as newId } from 'uuid'
import { callRoute, logIn, seededEmail } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import { untilProgress } from './audience.ts'
import { type BenchPortal, startBenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, nowMs, quantile, type Scale } from './measure.ts'
import { portalSide } from './side.ts'

/** A user gets five pushes in ten minutes; the sixth would wait. The first send warms up. */
const maxSends = 5
const concurrentAppends = 500
const settleTimeoutMs = 180_000
const pollMs = 100

/** Opens the data of a portal that does not run. */
export const inData = async (
  dataDir: string,
  work: (store: EventStore, encrypt: Encrypt) => Promise<void>,
): Promise<void> => {
  const { userKeys, masterKey } = dataFiles(dataDir)
  const store = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const vault = openSqliteVault({ keysFile: userKeys, masterKeyFile: masterKey })
  try {
    await work(store, vault.encrypt)
  } finally {
    await Promise.all([store.close(), vault.close()])
  }
}

/** Appends one event for each user to a stream of its own. */
export const recordForEach = async (
  store: EventStore,
  userIds: readonly UserId[],
  eventOf: (userId: UserId, index: number) => Omit<NewEvent, 'id'> & { readonly stream: string },
): Promise<void> => {
  for (let from = 0; from < userIds.length; from += concurrentAppends) {
    const some = userIds.slice(from, from + concurrentAppends).map((userId, n) => eventOf(userId, from + n))
    await Promise.all(some.map(({ stream, ...event }) => store.append(stream, 'any', [{ id: newId(), ...event }])))
  }
}

type Encrypt = (userId: UserId, token: string) => Promise<string>

/** Pushes to these devices go into the development mailbox. */
const recordDevices = async (store: EventStore, userIds: readonly UserId[], encrypt: Encrypt): Promise<void> => {
  const tokens = await Promise.all(userIds.map((userId, index) => encrypt(userId, `token-${index}`)))
  await recordForEach(store, userIds, (userId, index) => ({
    stream: `device-token-${index}`,
    type: 'PushTokenRegistered',
    data: { tokenIndex: `token-${index}`, userId, sessionId: sessionIdAt(index), token: tokens[index] },
  }))
}

/** Quiet at another time than now. */
const recordPreferences = (store: EventStore, userIds: readonly UserId[]): Promise<void> => {
  const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')
  const quietHours = { from: `${hour}:00`, to: `${hour}:30`, timeZone: 'Europe/London' }
  const preferences = { ...defaultPreferences, quietHours }
  return recordForEach(store, userIds, (userId) => ({
    stream: `preferences-${userId}`,
    type: 'PreferencesChanged',
    data: { userId, preferences },
  }))
}

export const registeredUsers = async (store: EventStore): Promise<readonly UserId[]> => {
  const users: UserId[] = []
  for await (const { type, stream } of readLogToEnd(store, 'start', { categories: ['user'] }))
    if (type === 'UserRegistered') users.push(userIdSchema.parse(stream.slice('user-'.length)))
  return users
}

const newestProgress = async ({ address, adminToken: token }: BenchPortal): Promise<CampaignProgress | undefined> => {
  const { notifications } = await callRoute(address, listRecentNotifications, { token, query: { page: 1, limit: 1 } })
  const [newest] = notifications
  return newest && 'progress' in newest ? newest.progress : undefined
}

/** One send to learners with devices, with and without preferences, until each of them has an outcome. */
export const benchPreferences = async (scale: Scale): Promise<Comparison[]> => {
  const start = (withPreferences: boolean): Promise<BenchPortal> =>
    startBenchPortal(scale.fanOutLearners, {
      prepare: (dataDir) =>
        inData(dataDir, async (store, encrypt) => {
          const users = await registeredUsers(store)
          await recordDevices(store, users, encrypt)
          if (withPreferences) await recordPreferences(store, users)
        }),
      settings: { SEEN_GRACE_MS: '500' },
    })
  const [without, withThem] = [await start(false), await start(true)]
  const online = await Promise.all([without, withThem].map((portal) => portalSide(portal, scale.audienceOnline)))
  const settleOne = async (portal: BenchPortal): Promise<number> => {
    const userIds = [...portal.userIds.values()].slice(0, scale.fanOutLearners)
    const body = { userIds, title: 'To everyone', message: 'The hall is closed on Monday.', type: 'General' as const }
    const startMs = nowMs()
    await callRoute(portal.address, sendNotification, { token: portal.adminToken, body })
    await untilProgress(portal, ({ pending }) => pending === 0)
    return nowMs() - startMs
  }
  const figures = { without: [] as number[], withThem: [] as number[] }
  for (let send = 0; send < Math.min(maxSends, scale.rounds + 1); send++) {
    const [limit, taken] = [await settleOne(without), await settleOne(withThem)]
    if (send === 0) continue
    figures.without.push(limit)
    figures.withThem.push(taken)
  }
  for (const side of online) side.close()
  await Promise.all([without.stop(), withThem.stop()])
  return [
    {
      name: `one send to ${scale.fanOutLearners.toLocaleString('en')}, ${scale.audienceOnline.toLocaleString('en')} online, with preferences, all settled`,
      limitName: 'the same without',
      unit: 'ms',
      portal: figures.withThem,
      limit: figures.without,
      reach: { atMost: 1.1 },
    },
  ]
}

/** The page of a learner while the quiet hours of very many others end. */
export const benchPostponed = async (scale: Scale): Promise<Comparison[]> => {
  const recipients = Array.from({ length: scale.audienceLearners }, (_, n) => userIdAt(n + 1))
  const notificationId = notificationIdAt(1)
  const { stream, events } = decidedSend(1, recipients)
  let untilMs = 0
  const portal = await startBenchPortal(1, {
    prepare: (dataDir) =>
      inData(dataDir, async (store, encrypt) => {
        await recordDevices(store, recipients, encrypt)
        for (const event of events) await store.append(stream, 'any', [{ id: newId(), ...event }])
        // The portal starts and projects all before.
        untilMs = Date.now() + (scale.audienceLearners > 20_000 ? 120_000 : 20_000)
        const postponed = new Map(recipients.map((userId) => [userId, untilMs]))
        await recordPostponed(store, { notificationId, attempt: 1 }, postponed)
      }),
    startTimeoutMs: 240_000,
  })
  const reader = await logIn(portal.address, seededEmail(1), portal.password)
  const readPage = () =>
    callRoute(portal.address, listNotifications, { token: reader.token, query: { page: 1, limit: 10 } })
  await eventually(
    'the postponed pushes are projected',
    async () => (await newestProgress(portal))?.postponed === recipients.length,
    settleTimeoutMs,
  )
  const idle = quantile(await measureLatencies(scale.roundMs, readPage), 0.99)
  await eventually('they are due', async () => Date.now() >= untilMs, settleTimeoutMs)
  let isDone = false
  const settling = untilProgress(portal, ({ pending }) => pending === 0).finally(() => (isDone = true))
  const meanwhile: number[] = []
  while (!isDone) meanwhile.push(...(await measureLatencies(pollMs, readPage)))
  await settling
  await portal.stop()
  const held = recipients.length.toLocaleString('en')
  const page = quantile(meanwhile, 0.99)
  return [
    {
      name: `a page while ${held} held pushes are decided, p99`,
      limitName: '50 ms',
      unit: 'ms',
      portal: [page],
      limit: [50],
      reach: { atMost: 1 },
    },
    {
      name: 'the same page before, p99',
      limitName: 'meanwhile',
      unit: 'ms',
      portal: [idle],
      limit: [page],
      reach: { atMost: 1 },
    },
  ]
}
