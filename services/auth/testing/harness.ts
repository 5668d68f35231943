import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initiateRegistration, logIn as logInRoute, verifyRegistration } from '@portal/contracts/auth/http'
import { buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import { openInProcessBus } from '@portal/platform/bus/in-process'
import type { Publisher } from '@portal/platform/bus/publisher'
import { type ClockAndIds, systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { readModelsOn } from '@portal/platform/testing/generations/single-read-model'
import { runProjection } from '@portal/platform/generations/run-projection'
import { makeBindRoute } from '@portal/platform/http/bind-route'
import { createHttpApp } from '@portal/platform/http/create-app'
import { createMemoryLimiters } from '@portal/platform/limits/memory'
import { createLogger } from '@portal/platform/observability/logger'
import { type Mail, type Sms, UnconfirmedError } from '@portal/platform/outbound/port'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import type { Site } from '@portal/platform/settings/link-origin'
import { openApiKeyRecord } from '@portal/platform/session/api-key-record'
import { makeApiKeyVerifier } from '@portal/platform/session/api-key-verifier'
import { makeDenylist } from '@portal/platform/session/session-denylist'
import type { IdleLimits } from '@portal/platform/session/session-idle'
import { openSessionRecord } from '@portal/platform/session/session-record'
import { makeSessionVerifier } from '@portal/platform/session/session-tokens'
import { createSessionUses } from '@portal/platform/session/session-uses'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { answerOf, refusalBy, refusalsBy } from '@portal/platform/testing/http/answers'
import { createMemorySecurityLog } from '@portal/platform/testing/security-log/memory-security-log'
import { vi } from 'vitest'
import type { z } from 'zod'
import { buildAuth } from '../src/app.ts'
import type { AuthLimits } from '../src/auth-limits.ts'
import type { LinkSenderOptions } from '../src/password-reset/send-link.ts'
import type { PasswordHashingOptions } from '../src/passwords/password-hashing.ts'
import type { PasswordCost } from '../src/passwords/worker-pool.ts'
import { authPublishers } from '../src/projections.ts'
import type { AdminMfa } from '../src/second-factor/second-step.ts'
import type { ListedUniversities } from '../src/registration/listed-universities.ts'

/** Uses real adapters and disks: on a busy machine a start can take seconds. */
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

type HarnessOptions = {
  readonly limits?: Partial<AuthLimits>
  /** Whether projections and the auth reactor run. A test may want to look before they do. */
  readonly runs?: boolean
  readonly adminMfa?: AdminMfa
  readonly passwordHashing?: PasswordHashingOptions
  readonly linkSenderOptions?: Partial<LinkSenderOptions>
  readonly universities?: ListedUniversities
  /** Default: true. */
  readonly hasMailServer?: boolean
  /** Default: sessions are never idle. */
  readonly sessionIdle?: IdleLimits
  /** Default: https://portal.example. */
  readonly site?: Site
  /** Publishers of other contexts. */
  readonly publishers?: readonly Publisher[]
  /** A new namespace rebuilds the read models. */
  readonly namespace?: string
  /** Runs while no process has the folder open. */
  readonly beforeOpening?: () => void
}

/** A fiftieth of the real cost, so that tests can log in a hundred times. */
export const lowCost: PasswordCost = { memoryCost: 1_024, timeCost: 1, parallelism: 1 }

/** Tests expect the newest mail to be the one that they have asked for. Those of these notices set limits of their own. */
const noAccountNotices: Partial<AuthLimits> = {
  newDeviceNoticesPerUser: { max: 0, windowMs: 1_000 },
  changeNoticesPerUser: { max: 0, windowMs: 1_000 },
}

const start = '2026-03-02T09:00:00.000Z'

/** The environment of the process, under the control of the test: clock, codes, mail and SMS. */
const createWorld = () => {
  let nowMs = Date.parse(start)
  let code = 100_000
  const clockAndIds: ClockAndIds = {
    now: () => new Date(nowMs),
    elapsedMs: () => nowMs,
    newId: () => systemClockAndIds.newId(),
    newCode: () => String((code += 1)),
    newSecret: () => systemClockAndIds.newSecret(),
  }
  return {
    clockAndIds,
    mails: [] as Mail[],
    texts: [] as Sms[],
    /** Delays of failed logins in milliseconds. The test does not wait for them. */
    delaysMs: [] as number[],
    /** Errors that the mail and SMS providers throw; undefined if they work. */
    outage: { mail: undefined as Error | undefined, sms: undefined as Error | undefined },
    log: [] as string[],
    securityLog: createMemorySecurityLog(() => new Date(nowMs)),
    passSeconds: (seconds: number) => {
      nowMs += seconds * 1_000
    },
  }
}
type World = ReturnType<typeof createWorld>

/** Whether the provider takes the message. One that does not answer may have taken it. */
const isTaken = (outage: Error | undefined): boolean => outage === undefined || outage instanceof UnconfirmedError

const openOn = async (folder: string, world: World, options: HarnessOptions) => {
  const { limits, runs = true, passwordHashing, linkSenderOptions, universities, namespace = 'read' } = options
  const { publishers = [], sessionIdle = {}, adminMfa } = options
  const { clockAndIds } = world
  const logger = createLogger({
    level: 'debug',
    destination: { write: (line: string) => void world.log.push(line) },
  })
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db'), now: clockAndIds.now })
  const readModel = openSqliteReadModel({ path: folder, namespace })
  const vault = openSqliteVault({ keysFile: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') })
  const signingKeys = openSigningKeys({ file: join(folder, 'session-keys.json'), now: clockAndIds.now, logger })
  const bus = await openInProcessBus({ eventStore, publishers: [...authPublishers, ...publishers], logger })
  const sessionUses = createSessionUses(undefined)
  const sessions = makeSessionVerifier({
    signingKeys,
    now: clockAndIds.now,
    denylist: makeDenylist(readModel),
    record: openSessionRecord(eventStore),
    idle: { limits: sessionIdle, uses: sessionUses, elapsedMs: clockAndIds.elapsedMs },
  })
  const apiKeys = makeApiKeyVerifier({
    readModel,
    record: openApiKeyRecord(eventStore),
    now: clockAndIds.now,
    logger,
  })
  const auth = buildAuth({
    eventStore,
    readModels: readModelsOn(readModel),
    bus,
    vault,
    clockAndIds,
    limiters: createMemoryLimiters(clockAndIds),
    bind: makeBindRoute({ sessions, apiKeys, validateResponses: true }),
    logger,
    securityLog: world.securityLog,
    signingKeys,
    sessionIdle,
    sessionUses,
    mail: {
      send: async (mail) => {
        if (isTaken(world.outage.mail)) world.mails.push(mail)
        if (world.outage.mail) throw world.outage.mail
      },
      close: async () => {},
    },
    sms: {
      send: async (sms) => {
        if (isTaken(world.outage.sms)) world.texts.push(sms)
        if (world.outage.sms) throw world.outage.sms
      },
      close: async () => {},
    },
    hasMailServer: options.hasMailServer ?? true,
    wait: async (ms) => void world.delaysMs.push(ms),
    site: options.site ?? { publicOrigin: 'https://portal.example', port: 3_000 },
    passwordHashing: { cost: lowCost, niceness: 0, threads: 1, ...passwordHashing },
    limits: { ...noAccountNotices, ...limits },
    ...(adminMfa && { adminMfa }),
    ...(linkSenderOptions && { linkSenderOptions }),
    ...(universities && { universities }),
  })
  const app = createHttpApp({ logger, securityLog: world.securityLog })
  auth.routes(app)
  const projections = runs
    ? await Promise.all(auth.projections.map((projection) => runProjection({ projection, bus, readModel, logger })))
    : []
  if (runs) await auth.start()
  await Promise.all(projections.map(({ caughtUp }) => caughtUp))

  const close = async () => {
    await app.close()
    await auth.stop()
    await Promise.all(projections.map((projection) => projection.stop()))
    await bus.close()
    await eventStore.close()
    await Promise.all([readModel.close(), vault.close()])
  }
  return { eventStore, readModel, vault, signingKeys, auth, app, close }
}

type CallOptions = {
  readonly token?: string
  readonly cookie?: string
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

export const applicant = {
  fullName: 'Asha Verma',
  personalEmail: 'asha.verma@example.com',
  mobileNumber: '9876501234',
  universityName: 'Northfield Institute',
  password: 'Monsoon-2026',
}
export type Applicant = typeof applicant

/** Auth on real SQLite adapters, in its own folder. */
export const startHarness = async (options: HarnessOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'auth-'))
  const world = createWorld()
  let parts = await openOn(folder, world, options)

  const inject = (route: AnyRoute, call: CallOptions = {}) =>
    parts.app.inject({
      method: route.method,
      url: buildUrl(route, { params: call.params }),
      remoteAddress: call.address ?? '192.0.2.1',
      headers: {
        host: 'portal.local',
        ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
        ...(call.cookie !== undefined && { cookie: call.cookie, origin: 'http://portal.local' }),
        ...(typeof call.body === 'string' && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { payload: typeof call.body === 'string' ? call.body : Object(call.body) }),
    })

  /** The body of a success; throws on any other response. */
  const call = async <R extends AnyRoute>(route: R, asked: CallOptions = {}): Promise<z.output<R['response']>> =>
    answerOf(route, await inject(route, asked))

  /** The status and body of a rejection; throws on a success. */
  const refuse = async (route: AnyRoute, asked: CallOptions = {}) => refusalBy(route, await inject(route, asked))

  const refusals = (
    route: AnyRoute,
    rows: readonly (readonly [body: unknown, message: string])[],
    asked: CallOptions = {},
  ) => refusalsBy(route, rows, (body) => inject(route, { ...asked, body }))

  const lastCodes = () => ({ otpEmail: world.mails.at(-1)?.code, otpMobile: world.texts.at(-1)?.code })

  const register = async (person: Applicant = applicant): Promise<void> => {
    await call(initiateRegistration, { body: person })
    const { personalEmail: email, mobileNumber } = person
    await call(verifyRegistration, { body: { email, mobileNumber, ...lastCodes() } })
  }

  const logIn = async (person: Pick<Applicant, 'personalEmail' | 'password'> = applicant) => {
    const { personalEmail, password } = person
    return (await call<typeof logInRoute>(logInRoute, { body: { personalEmail, password } })).data
  }

  return {
    folder,
    world,
    get parts() {
      return parts
    },
    inject,
    call,
    refuse,
    refusals,
    lastCodes,
    register,
    logIn,

    /** All recorded events, oldest first. */
    recorded: async () => {
      const events: { stream: string; type: string; data: unknown }[] = []
      const abort = new AbortController()
      for await (const item of parts.eventStore.subscribe('start', 'all', abort.signal)) {
        if (item.kind === 'caught-up') break
        events.push({ stream: item.stream, type: item.type, data: item.data })
      }
      return events
    },

    /** All bytes on disk except the files with secrets. */
    bytesOnDisk: () =>
      readdirSync(folder)
        .filter((file) => !file.startsWith('master.key') && !file.startsWith('session-keys'))
        .map((file) => readFileSync(join(folder, file)).toString('latin1'))
        .join('\n'),

    /** Opens the same folder in a new process, as after a crash or an update. */
    restart: async (changed: HarnessOptions = options) => {
      await parts.close()
      changed.beforeOpening?.()
      parts = await openOn(folder, world, changed)
    },

    stop: async () => {
      await parts.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type Harness = Awaited<ReturnType<typeof startHarness>>
