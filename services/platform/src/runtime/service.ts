import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import type { ClockAndIds } from '../decider/clock-and-ids.ts'
import type { EventStore } from '../event-store/port.ts'
import type { HostRule } from '../http/allowed-hosts.ts'
import type { BindRoute } from '../http/handler.ts'
import type { AttemptLimiters } from '../limits/port.ts'
import type { Health } from '../observability/health.ts'
import type { Observability } from '../observability/observability.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import type { Projection } from '../projection/projection.ts'
import type { ReadModels } from '../generations/read-models.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import type { SessionUses } from '../session/session-uses.ts'
import type { SessionVerifier } from '../session/session.ts'
import type { Config } from '../settings/config.ts'
import type { FirstAdminReport } from './start-report.ts'

/** The ports that every service is built from. */
export type ServiceDeps = {
  readonly eventStore: EventStore
  readonly readModels: ReadModels
  readonly bus: Bus
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
  readonly limiters: AttemptLimiters
  readonly bind: BindRoute
  readonly logger: Logger
  readonly securityLog: SecurityLog
  /** Metrics and spans that no port records. */
  readonly observability?: Observability
}

/** The process that a service runs in: its ports and its settings. */
export type ServiceHost = ServiceDeps & {
  readonly config: Config
  readonly observability: Observability
  readonly sessions: SessionVerifier
  readonly sessionUses: SessionUses
}

export type FirstAdmin = FirstAdminReport & {
  /** Call it after the password has been shown. Until then, each start generates another one. */
  recordShown(): Promise<void>
}

/** A built service, not started yet. */
export type Service = {
  readonly name: string
  readonly publishers: readonly Publisher[]
  readonly projections: readonly Projection[]
  routes(app: FastifyInstance): void
  /** Records what a new portal needs, before the first request and before `start`. */
  prepare?(): Promise<FirstAdmin | undefined>
  /** Starts workers and reactors. */
  start(): Promise<void>
  /** Completes work in flight, before the ports are closed. Also called if `start` failed or was never called. */
  stop(): Promise<void>
}

/**
 * A service as its package exports it, so that a process can run one service or all of them. `Links` are its dependencies on other
 * services: the services themselves in one process, clients otherwise.
 */
export type ServiceDefinition<Links, Built extends Service> = {
  readonly name: string
  readonly publishers: readonly Publisher[]
  readonly projections: readonly Projection[]
  build(host: ServiceHost, links: Links): Built
}

type EdgeContext = { readonly health: Health; readonly hosts: HostRule | undefined }

/** The part of a process that browsers reach: pages and sockets. */
export type Edge = {
  /** Rewrites the URL before routing, to tell pages from API calls. */
  rewriteUrl(request: IncomingMessage): string
  /** Awaited before the services bind their routes. `start` runs before the projections. Its resources close with the app. */
  setUp(app: FastifyInstance, context: EdgeContext): Promise<{ start(): Promise<void> }>
}
