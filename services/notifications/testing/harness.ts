import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuthEvent } from '@portal/contracts/auth/events'
import type { CatalogEvent } from '@portal/contracts/catalog/events'
import type { PushClientConfig } from '@portal/contracts/notifications/http'
import { buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import { openInProcessBus } from '@portal/platform/bus/in-process'
import { type ClockAndIds, systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { singleGeneration } from '@portal/platform/generations/active-generation'
import { readModelsOn } from '@portal/platform/testing/generations/single-read-model'
import { runProjection } from '@portal/platform/generations/run-projection'
import { makeBindRoute } from '@portal/platform/http/bind-route'
import { createHttpApp } from '@portal/platform/http/create-app'
import { createMemoryLimiters } from '@portal/platform/limits/memory'
import type { MailSender } from '@portal/platform/outbound/port'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { answerOf, refusalsBy } from '@portal/platform/testing/http/answers'
import { createMemorySecurityLog } from '@portal/platform/testing/security-log/memory-security-log'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import type { z } from 'zod'
import { buildNotifications } from '../src/app.ts'
import { pendingDeliveriesProjection } from '../src/delivery/pending-deliveries.ts'
import type { SeenCounter, SeenSource } from '../src/seen-reports.ts'
import { notificationsProjections, notificationsPublishers } from '../src/projections.ts'
import { defaultTimings, type NotificationTimings } from '../src/timings.ts'
import { createUnsubscribeTokens } from '../src/unseen-mail/unsubscribe-token.ts'
import {
  authPublisher,
  catalogPublisher,
  encryptProfile,
  endedSessionsProjection,
  type Person,
  plainApiKeys,
  plainSessions,
  profileAt,
  recordAuthEvents,
  recordCatalogEvents,
  registered,
  tokenOf,
} from './people.ts'
import { createRecordedPush, type RecordedPush } from './recorded-push.ts'
import { sessionIdAt, userIdAt } from './samples.ts'
import { createUntilProjected } from './until-projected.ts'

export type CallOptions = {
  readonly as?: Person | undefined
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds a request as a client would. */
export const requestOf = (route: AnyRoute, call: CallOptions): InjectOptions => {
  const { as, params, query, body, headers } = call
  return {
    method: route.method,
    url: buildUrl(route, { params, query }),
    headers: {
      ...(as && { authorization: `Bearer ${tokenOf(as)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  }
}

export type HarnessOptions = {
  /** Takes e-mails about unread notifications. None is sent without it. */
  readonly mail?: Pick<MailSender, 'send'>
  readonly timings?: Partial<NotificationTimings>
  readonly seenCounter?: SeenCounter
  readonly push?: RecordedPush
  readonly delivers?: boolean
  readonly seenSource?: SeenSource
  readonly pushClient?: PushClientConfig
  readonly clockAndIds?: ClockAndIds
}

/** Nothing becomes due unless the test demands it. A response waits for a projection that is late on a busy machine. */
const quickTimings: NotificationTimings = {
  ...defaultTimings,
  graceMs: 600_000,
  seenTimeoutMs: 20_000,
  cancelTimeoutMs: 20_000,
  recallTimeoutMs: 20_000,
  gatherSeenMs: 1,
  pushRetryBackoff: { firstMs: 1, maxMs: 1 },
  activityCacheMs: 0,
}

/** Users registered at once, below the store's limit for concurrent appends. */
const registeredAtOnce = 1_000
/** Of the links in e-mails. */
export const unsubscribeTokens = createUnsubscribeTokens(Buffer.alloc(32, 1))
const noneConnected: SeenCounter = { wait: async () => 0 }
const publishers = [...notificationsPublishers, authPublisher, catalogPublisher]

const openPorts = async (folder: string) => {
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const readModel = openSqliteReadModel({ path: folder, namespace: 'read' })
  const pendingDeliveries = openSqliteReadModel({ path: folder, namespace: 'ledger' })
  const vault = openSqliteVault({ keysFile: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') })
  const bus = await openInProcessBus({ eventStore, publishers, logger })
  return { logger, eventStore, readModel, pendingDeliveries, vault, bus }
}

/** The context on SQLite in a folder, without a network. */
const startContext = async (folder: string, options: HarnessOptions, push: RecordedPush) => {
  const ports = await openPorts(folder)
  const { logger, eventStore, readModel, pendingDeliveries, vault, bus } = ports
  const securityLog = createMemorySecurityLog()
  const delivers = options.delivers ?? true
  const [pending, others] = [singleGeneration(pendingDeliveries), singleGeneration(readModel)]
  const service = buildNotifications({
    ...ports,
    securityLog,
    readModels: {
      ...readModelsOn(readModel),
      of: ({ name }) => (name === pendingDeliveriesProjection.name ? pending : others),
    },
    clockAndIds: options.clockAndIds ?? systemClockAndIds,
    limiters: createMemoryLimiters(systemClockAndIds),
    bind: makeBindRoute({ sessions: plainSessions, apiKeys: plainApiKeys, validateResponses: true }),
    seenCounter: options.seenCounter ?? noneConnected,
    timings: { ...quickTimings, ...options.timings },
    pushKey: 'the-public-key',
    unsubscribeTokens,
    pushClient: options.pushClient,
    hasMailServer: async () => true,
    ...(delivers && {
      delivery: {
        push,
        email: options.mail && { mail: options.mail, origin: 'https://portal.example', unsubscribeTokens },
        ...(options.seenSource && { seenSource: options.seenSource }),
      },
    }),
  })
  const running = await Promise.all(
    [...service.projections, endedSessionsProjection].map((projection) =>
      runProjection({ projection, bus, readModel, logger }),
    ),
  )
  await service.start()
  const app = createHttpApp({ logger, securityLog })
  service.routes(app)
  await Promise.all(running.map(({ caughtUp }) => caughtUp))
  const projecting = [
    ...[...notificationsProjections, endedSessionsProjection].map((projection) => ({ projection, readModel })),
    ...(delivers ? [{ projection: pendingDeliveriesProjection, readModel: pendingDeliveries }] : []),
  ]
  return {
    ...ports,
    securityLog,
    service,
    app,
    untilProjected: createUntilProjected(eventStore, publishers, projecting),
    close: async () => {
      await app.close()
      await Promise.all(running.map((projection) => projection.stop()))
      await bus.close()
      await eventStore.close()
      await Promise.all([readModel.close(), pendingDeliveries.close(), vault.close()])
    },
  }
}
type Context = Awaited<ReturnType<typeof startContext>>

/** The whole context in a temporary folder. It can stop and restart there. */
export const startHarness = async (options: HarnessOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'notifications-'))
  const push = options.push ?? createRecordedPush()
  let registeredStudents = 0
  let context = await startContext(folder, options, push)

  const record = async (person: Pick<Person, 'userId'>, ...events: readonly AuthEvent[]): Promise<void> => {
    await recordAuthEvents(context.eventStore, person.userId, ...events)
    await context.untilProjected()
  }
  const recordCatalog = async (...events: readonly CatalogEvent[]): Promise<void> => {
    await recordCatalogEvents(context.eventStore, ...events)
    await context.untilProjected()
  }
  const inject = (route: AnyRoute, call: CallOptions) => context.app.inject(requestOf(route, call))

  /** The admin and the given number of newly registered students. */
  const people = async (students: number): Promise<readonly Person[]> => {
    const admin: Person = { userId: userIdAt(0), sessionId: sessionIdAt(0), role: 'admin' }
    const added = Array.from({ length: students }, (_, n): Person => ({
      userId: userIdAt(registeredStudents + n + 1),
      sessionId: sessionIdAt(registeredStudents + n + 1),
      role: 'student',
    }))
    const unknown = registeredStudents === 0 ? [admin, ...added] : added
    // The admin is number 0.
    const before = registeredStudents === 0 ? 0 : registeredStudents + 1
    registeredStudents += students
    for (let from = 0; from < unknown.length; from += registeredAtOnce) {
      const some = unknown.slice(from, from + registeredAtOnce)
      await Promise.all(
        some.map(async ({ userId, role }, index) => {
          const profile = await encryptProfile(context.vault, userId, profileAt(before + from + index))
          await recordAuthEvents(context.eventStore, userId, registered(userId, role, profile))
        }),
      )
    }
    await context.untilProjected()
    return [admin, ...added]
  }

  return {
    /** The data folder. */
    folder,
    push,
    inject,
    /** Records events of the auth context about a user. */
    record,
    /** Records events of the catalog context. */
    recordCatalog,
    /** Resolves when everything recorded so far is projected, including pending deliveries. */
    untilProjected: () => context.untilProjected(),
    get context(): Context {
      return context
    },

    refusals: (
      route: AnyRoute,
      rows: readonly (readonly [call: CallOptions, message: string])[],
      asked: CallOptions = {},
    ) => refusalsBy(route, rows, (call) => inject(route, { ...asked, ...call })),

    /** Returns the parsed body of a success; throws otherwise. */
    call: async <R extends AnyRoute>(route: R, call: CallOptions = {}): Promise<z.output<R['response']>> =>
      answerOf(route, await inject(route, call)),

    people,
    /** The admin and three newly registered students. */
    cast: async () => {
      const [admin, ada, ben, eve] = await people(3)
      if (!admin || !ada || !ben || !eve) throw new Error('test user missing')
      return { admin, ada, ben, eve }
    },

    /** Shuts down cleanly and restarts on the same files. */
    restart: async (changed: HarnessOptions & { readonly losesPendingDeliveries?: boolean } = {}): Promise<void> => {
      await context.service.stop()
      await context.close()
      if (changed.losesPendingDeliveries) rmSync(join(folder, 'ledger.db'))
      context = await startContext(folder, { ...options, ...changed }, push)
    },

    stop: async (): Promise<void> => {
      await context.service.stop()
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type Harness = Awaited<ReturnType<typeof startHarness>>
