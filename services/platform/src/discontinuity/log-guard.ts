import type { Logger } from 'pino'
import { UnknownPositionError } from '../event-store/errors.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import {
  ForeignLogError,
  identityStream,
  isForeign,
  loadLogIdentity,
  type LogIdentity,
  readLogIdentity,
  recordLogIdentity,
} from './log-identity.ts'

/** While the log is another one, it is looked at again at most this often. */
const lookAgainMs = 1_000

type Derived = {
  /** Holds the identity of the log that the read models were derived from. */
  readonly control: ReadStore & ProjectionWriter & Checkpoints
  /** Whether the read models have data. Releases before this one recorded no identity. */
  hasData(): Promise<boolean>
}

/**
 * Protects a portal from an event store that is another one, or empty: a wrong address, a wrong volume, a forgotten mount. While it is,
 * every call rejects with ForeignLogError, and nothing is written.
 */
export type LogGuard = {
  /** The store with the guard before it. */
  protect(store: EventStore): EventStore
  /** Compares the log with the read models and records its identity. Until then the guard accepts any log. */
  expect(derived: Derived): Promise<void>
  /** Rejects if the log is another one. Call it when another server may have taken the store's place. */
  verify(): Promise<void>
  /** Reports that the log is older, unless it is another one. */
  reportOlder(report: () => void): void
  /** Rejects every call with this error, until it is called with undefined. */
  rejectCalls(error: Error | undefined): void
  /** Why the store is not used, in one line; undefined while it is. */
  problem(): string | undefined
}

type Options = {
  /** The address as shown to operators, without password. */
  readonly address: string
  readonly logger: Pick<Logger, 'error' | 'info'>
}

export const createLogGuard = ({ address, logger }: Options): LogGuard => {
  let store: EventStore | undefined
  let derived: Derived | undefined
  let known: LogIdentity | undefined
  let foreign: ForeignLogError | undefined
  /** At the start, the error itself is the one line. */
  let isInUse = false
  let rejection: Error | undefined
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const look = async (log: EventStore, { control, hasData }: Derived): Promise<void> => {
    known ??= await loadLogIdentity(control)
    // Before the log is read: another replica may begin a new log, and project it, at any moment.
    const isLogExpected = known !== undefined || (await hasData())
    const found = await readLogIdentity(log)
    lookedAtMs = performance.now()
    if (isForeign(found, known, isLogExpected)) {
      if (isInUse && foreign === undefined)
        logger.error({ identity: known, found }, 'event store is another one, rejecting calls')
      foreign = new ForeignLogError(address, found, known)
      return
    }
    if (found.kind === 'named') known ??= await recordLogIdentity(control, found.identity, { isReplacing: false })
    isInUse = true
    if (foreign !== undefined) logger.info({ identity: known }, 'event store is the expected one again')
    foreign = undefined
  }

  const verify = async (): Promise<void> => {
    if (store === undefined || derived === undefined) return
    // A look that is under way may have seen the server before this one.
    await looking?.catch(() => undefined)
    looking ??= look(store, derived).finally(() => (looking = undefined))
    await looking
    if (foreign !== undefined) throw foreign
  }

  /** Costs nothing while the log is the expected one. */
  const requireOwn = async (): Promise<void> => {
    if (rejection !== undefined) throw rejection
    if (foreign === undefined) return
    if (performance.now() - lookedAtMs < lookAgainMs) throw foreign
    await verify()
  }

  async function* readOnceOwn(log: EventStore, stream: string, from?: number): AsyncGenerator<RecordedEvent> {
    await requireOwn()
    yield* log.read(stream, from)
  }

  return {
    verify,
    reportOlder(report) {
      verify().then(report, (error: unknown) => {
        if (!(error instanceof ForeignLogError)) report()
      })
    },
    rejectCalls: (error) => {
      if (isInUse && error !== undefined && rejection === undefined)
        logger.error({ reason: error.message }, 'event store has another writer, rejecting calls')
      rejection = error
    },
    problem: () => (foreign ?? rejection)?.message,
    async expect(more) {
      derived = more
      await verify()
    },
    protect: (log) => {
      store = log
      return {
        ...log,
        async append(stream, expected, events) {
          await requireOwn()
          const answer = await log.append(stream, expected, events)
          // A new portal gets its identity here. It is recorded at the next start if that fails now.
          if (known === undefined && stream === identityStream) await verify().catch(() => undefined)
          return answer
        },
        read: (stream, from) =>
          foreign === undefined && rejection === undefined ? log.read(stream, from) : readOnceOwn(log, stream, from),
        async *subscribe(after, filter, signal) {
          await requireOwn()
          try {
            yield* log.subscribe(after, filter, signal)
          } catch (error) {
            // The log lacks what was read from it: it is older, or another one.
            if (error instanceof UnknownPositionError && !signal.aborted) await verify()
            throw error
          }
        },
        async holds(checkpoint) {
          await requireOwn()
          const isHeld = await log.holds(checkpoint)
          if (!isHeld) await verify()
          return isHeld
        },
        async end() {
          await requireOwn()
          return log.end()
        },
        async check() {
          await log.check()
          await requireOwn()
        },
      }
    },
  }
}
