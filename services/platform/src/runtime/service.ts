import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import type { EventStore } from '../event-store/port.ts'
import type { BindRoute } from '../http/handler.ts'
import type { Observability } from '../observability/observability.ts'
import type { AttemptLimiters } from '../limits/port.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import type { Projection } from '../projection/projection.ts'
import type { ReadModels } from '../generations/read-models.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import type { ClockAndIds } from '../decider/clock-and-ids.ts'

/** What every context is built from. */
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
  /** What the ports above are observed with, for what passes through none of them. */
  readonly observability?: Observability
}

/** A context, built but not started. The process that hosts it (its own main.ts, or embedded) does the rest. */
export type Service = {
  readonly name: string
  /** Registers the HTTP routes. */
  routes(app: FastifyInstance): void
  readonly publishers: readonly Publisher[]
  readonly projections: readonly Projection[]
  /** Starts what runs besides requests and projections: workers, reactors. */
  start(): Promise<void>
  /** Finishes what is under way. Called before the ports are closed. */
  stop(): Promise<void>
}
