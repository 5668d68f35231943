import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleSchema } from '@portal/contracts/auth/user'
import { idempotencyKeyHeader, buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { openInProcessBus } from '@portal/platform/bus/in-process'
import type { EventStore, RecordedEvent } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { makeBindRoute } from '@portal/platform/http/bind-route'
import { createHttpApp } from '@portal/platform/http/create-app'
import { answerOf, refusalBy, refusalsBy } from '@portal/platform/testing/http/answers'
import { createMemoryLimiters } from '@portal/platform/limits/memory'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { runProjection } from '@portal/platform/generations/run-projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { readModelsOn } from '@portal/platform/testing/generations/single-read-model'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { createMemorySecurityLog } from '@portal/platform/testing/security-log/memory-security-log'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { SessionVerifier } from '@portal/platform/session/session'
import { pino } from 'pino'
import type { z } from 'zod'
import { ok } from '@portal/platform/decider/decider'
import { buildCatalog } from '../src/app.ts'
import type { LearnerContacts } from '../src/enrollment/learner-contacts.ts'
import { catalogPublishers } from '../src/projections.ts'
import { accountPublishers } from './accounts.ts'

export const callerId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
export const otherLearnerId = userIdSchema.parse('01980000-0000-7000-8000-000000000002')

/** The token is the caller's role; 'student-2' is another learner. */
const sessions: SessionVerifier = {
  verify: async (token) => {
    const isOther = token === 'student-2'
    const role = roleSchema.safeParse(isOther ? 'student' : token)
    return role.success
      ? {
          sessionId: sessionIdSchema.parse('01980000-0000-7000-8000-00000000000a'),
          userId: isOther ? otherLearnerId : callerId,
          role: role.data,
          expiresAt: new Date(Date.now() + 60_000),
        }
      : undefined
  },
}

type CallOptions = {
  readonly as?: 'admin' | 'faculty' | 'student' | 'student-2'
  readonly id?: string
  /** Id of a tool or a fact. */
  readonly itemId?: string
  readonly body?: unknown
  readonly query?: Readonly<Record<string, unknown>>
  /** The Idempotency-Key header. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

type HarnessOptions = {
  readonly processes?: number
  readonly now?: () => Date
  /** The people index; empty by default. */
  readonly contacts?: LearnerContacts
  readonly maxOpenInvitations?: number
  /** Of the processes; a test may let it fail. */
  readonly storeOf?: (store: EventStore) => EventStore
}

const noContacts: LearnerContacts = { find: async (contacts) => ok(contacts.map((contact) => ({ contact }))) }

/** The context on SQLite in a temporary folder. Calls rotate between its `processes`. */
export const startHarness = async ({
  processes = 1,
  now = systemClockAndIds.now,
  contacts = noContacts,
  storeOf = (store) => store,
  maxOpenInvitations,
}: HarnessOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'))
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const securityLog = createMemorySecurityLog()
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db'), now })
  const readModel = openSqliteReadModel({ path: folder, namespace: 'read' })
  const vault = openSqliteVault({ keysFile: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') })
  const bus = await openInProcessBus({ eventStore, publishers: [...catalogPublishers, ...accountPublishers], logger })
  const bind = makeBindRoute({ sessions, validateResponses: true })
  const catalogs = Array.from({ length: processes }, () =>
    buildCatalog({
      eventStore: storeOf(eventStore),
      readModels: readModelsOn(readModel),
      bus,
      vault,
      clockAndIds: { ...systemClockAndIds, now },
      limiters: createMemoryLimiters(systemClockAndIds),
      bind,
      logger,
      securityLog,
      contacts,
      maxOpenInvitations,
    }),
  )
  const [catalog] = catalogs
  if (catalog === undefined) throw new Error('there is no process')
  const apps = catalogs.map(({ routes }) => {
    const app = createHttpApp({ logger, securityLog })
    routes(app)
    return app
  })
  let calls = 0
  const projections = await Promise.all(
    catalog.projections.map((projection) => runProjection({ projection, bus, readModel, logger })),
  )
  await Promise.all(catalogs.map((one) => one.start()))

  const inject = (route: AnyRoute, { as, id, itemId, body, query, key, headers }: CallOptions) => {
    const app = apps[calls++ % apps.length]
    if (app === undefined) throw new Error('there is no process')
    return app.inject({
      method: route.method,
      url: buildUrl(route, { params: { id, toolId: itemId, factId: itemId }, query }),
      headers: {
        ...(as && { authorization: `Bearer ${as}` }),
        ...(key && { [idempotencyKeyHeader]: key }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: Object(body) }),
    })
  }

  /** Returns the status and body of a rejection; throws on success. */
  const refuse = async (route: AnyRoute, options: CallOptions = {}) => refusalBy(route, await inject(route, options))

  const refusals = (
    route: AnyRoute,
    rows: readonly (readonly [body: unknown, message: string])[],
    asked: CallOptions = {},
  ) => refusalsBy(route, rows, (body) => inject(route, { ...asked, body }))

  const log = async (): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = []
    for await (const item of eventStore.subscribe('start', 'all', new AbortController().signal)) {
      if (item.kind === 'caught-up') break
      events.push(item)
    }
    return events
  }

  return {
    catalog,
    eventStore,
    vault,
    securityLog,

    /** Digests of every partition by projection, and of a rebuild from the log. */
    digests: async () => {
      const again = openSqliteReadModel({ path: folder, namespace: 'again' })
      for (const projection of catalog.projections) {
        const group = `again:${projection.name}`
        const running = await runProjection({ projection, bus, readModel: again, logger, group })
        await running.caughtUp
        await running.stop()
      }
      const partitions = await readModel.partitions()
      const digestsOf = ({ digest }: ReadModel) =>
        Promise.all(catalog.projections.flatMap(({ name }) => partitions.map((partition) => digest(name, partition))))
      const digests = { serving: await digestsOf(readModel), rebuilt: await digestsOf(again) }
      await again.close()
      return digests
    },

    /** Returns the body of a success; throws otherwise. */
    call: async <R extends AnyRoute>(route: R, options: CallOptions = {}): Promise<z.output<R['response']>> =>
      answerOf(route, await inject(route, options)),

    refuse,
    refusals,

    /** The response as it is, such as a file. */
    raw: (route: AnyRoute, options: CallOptions = {}) => inject(route, options),

    log,

    recorded: async () => (await log()).map(({ type, data, metadata }) => ({ type, data, actorId: metadata.actorId })),

    stop: async () => {
      await Promise.all(apps.map((app) => app.close()))
      await Promise.all(catalogs.map((one) => one.stop()))
      await Promise.all(projections.map((projection) => projection.stop()))
      await bus.close()
      await eventStore.close()
      await Promise.all([readModel.close(), vault.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type Harness = Awaited<ReturnType<typeof startHarness>>
