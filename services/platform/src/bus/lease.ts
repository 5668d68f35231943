import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { sleep, systemTimers, type Timers } from '../async/timers.ts'
import type { Checkpoints, ProjectionWriter } from '../read-model/port.ts'

const partition = 'leases'
/** A leader that cannot renew stops after this share of the length, well before another process may take the lease. */
const safeShare = 0.8
const noHolder = 'free'

/** Records the position of a lease. */
export type LeaseStore = Pick<Checkpoints, 'position' | 'whenApplied'> & Pick<ProjectionWriter, 'commit'>

export type LeaseOptions = {
  readonly readModel: LeaseStore
  /** The work that only one process at a time may do. */
  readonly name: string
  /** How long after its last renewal a leader is replaced. */
  readonly lengthMs: number
  /**
   * Called when this process becomes the leader. Runs until the signal aborts, and has to tolerate an overlap: a new leader does
   * not wait for the previous one to end.
   */
  onLead(signal: AbortSignal): Promise<void>
  /** How long the process lets others take the lease after it has released it. A third of the length by default. */
  restMs?(): number
  readonly logger: Logger
  readonly timers?: Timers
}

export type Lease = {
  /** Whether this process is the leader. */
  isLeading(): boolean
  /** Releases the lease once the work has ended, so that another process can take it at once. */
  stop(): Promise<void>
}

const termOf = (position: string): number => Number(position.slice(0, position.indexOf(':')))
const positionOf = (term: number, holder: string): string => `${String(term).padStart(16, '0')}:${holder}`
const nextPosition = (position: string | undefined, holder: string): string =>
  positionOf(position === undefined ? 1 : termOf(position) + 1, holder)

/** One renewal: the position that this holder has written, and when it started to write. */
type Term = { readonly position: string; readonly sinceMs: number }

/** The record of the lease is the position of a projection, `{term}:{holder}`. It rises with every renewal. */
const createLeaseRecord = (options: LeaseOptions, signal: AbortSignal) => {
  const { readModel, name, lengthMs, timers = systemTimers } = options
  const projection = `lease-${name}`
  const holder = randomUUID()
  const find = () => readModel.position(projection, partition)

  /** Returns true if the position was written, even if the first answer was lost. */
  const write = async (expected: string | undefined, position: string): Promise<boolean> => {
    const outcome = await readModel.commit({ projection, partition, expected, position, writes: [] })
    return outcome === 'committed' || (outcome === 'conflict' && (await find()) === position)
  }

  /** Whether the holder of this position does not renew it for the whole length. Resolves early when the signal aborts. */
  const hasExpired = async (seen: string): Promise<boolean> => {
    const answered = new AbortController()
    const expired = sleep(lengthMs, { signal: AbortSignal.any([signal, answered.signal]), timers }).then(() => true)
    const moved = readModel.whenApplied(projection, partition, positionOf(termOf(seen) + 1, ''), lengthMs)
    try {
      // Only this process's clock decides that the time is over.
      return await Promise.race([expired, moved.then((hasMoved) => (hasMoved ? false : expired))])
    } finally {
      answered.abort()
    }
  }
  /** Another process may lead: not one that has released the lease, nor this one, which has written last. */
  const mayBeHeld = (seen: string): boolean => !seen.endsWith(`:${noHolder}`) && !seen.endsWith(`:${holder}`)

  return {
    /** Takes the lease. Undefined while another process leads. */
    async take(): Promise<Term | undefined> {
      const seen = await find()
      if (seen !== undefined && mayBeHeld(seen) && !(await hasExpired(seen))) return undefined
      if (signal.aborted) return undefined
      const position = nextPosition(seen, holder)
      const sinceMs = timers.elapsedMs()
      return (await write(seen, position)) ? { position, sinceMs } : undefined
    },
    /** Undefined when another process leads. */
    async renew(position: string): Promise<Term | undefined> {
      const next = nextPosition(position, holder)
      const sinceMs = timers.elapsedMs()
      return (await write(position, next)) ? { position: next, sinceMs } : undefined
    },
    /** Has no effect when another process leads. */
    release: (position: string) => write(position, nextPosition(position, noHolder)),
  }
}

/**
 * Elects one leader among all processes that hold a lease of this name. Clocks of different processes are never compared. A leader
 * measures from before its write. Another process takes the lease if the position has not changed for the whole length. A leader that
 * is late to renew stops its work first. It then takes the lease again at once, unless another process has.
 */
export const holdLease = (options: LeaseOptions): Lease => {
  const { name, lengthMs, onLead, logger, restMs = () => lengthMs / 3, timers = systemTimers } = options
  const stopping = new AbortController()
  const record = createLeaseRecord(options, stopping.signal)
  let leading: AbortController | undefined
  let isUnavailable = false
  const pause = (ms: number) => sleep(ms, { signal: stopping.signal, timers })

  const recordFailure = (error: unknown) => {
    if (!isUnavailable) logger.warn({ err: error, lease: name }, 'lease unavailable, retrying')
    isUnavailable = true
  }

  /** Renews until the work ends or another process leads. Calls `onLate` if a renewal is overdue. Returns the last position. */
  const keepRenewing = async (taken: Term, work: Promise<void>, onLate: () => void): Promise<string> => {
    let { position } = taken
    let hasEnded = false
    void work.then(() => (hasEnded = true))
    const watchDeadline = ({ sinceMs }: Term) =>
      timers.schedule(onLate, Math.max(0, sinceMs + lengthMs * safeShare - timers.elapsedMs()))
    let cancelDeadline = watchDeadline(taken)
    try {
      for (;;) {
        await Promise.race([sleep(lengthMs / 3, { timers, unref: true }), work])
        if (hasEnded) return position
        try {
          const renewed = await record.renew(position)
          if (renewed === undefined) return position
          position = renewed.position
          cancelDeadline()
          cancelDeadline = watchDeadline(renewed)
        } catch (error) {
          // The write may have succeeded, which the next renewal detects.
          recordFailure(error)
        }
      }
    } finally {
      cancelDeadline()
    }
  }

  /** Returns whether the work was stopped because a renewal was overdue. */
  const lead = async (taken: Term): Promise<boolean> => {
    const current = new AbortController()
    const end = () => current.abort()
    stopping.signal.addEventListener('abort', end, { once: true })
    if (stopping.signal.aborted) end()
    leading = current
    logger.info({ lease: name }, 'lease acquired')
    const work = onLead(current.signal).catch((error: unknown) =>
      logger.error({ err: error, lease: name }, 'work of the leader failed'),
    )
    let isLate = false
    try {
      const position = await keepRenewing(taken, work, () => {
        isLate = true
        logger.warn({ lease: name }, 'lease not renewed in time, stopping work')
        end()
      })
      end()
      await work
      if (!isLate || stopping.signal.aborted) await record.release(position)
      return isLate
    } finally {
      leading = undefined
      stopping.signal.removeEventListener('abort', end)
      logger.info({ lease: name }, 'lease lost')
    }
  }

  const compete = async () => {
    while (!stopping.signal.aborted) {
      try {
        const taken = await record.take()
        if (isUnavailable) logger.info({ lease: name }, 'lease available again')
        isUnavailable = false
        if (taken === undefined) continue
        const wasLate = await lead(taken)
        // A leader that was late gives nothing away: only a process that has taken the lease meanwhile may go on in its place.
        if (!wasLate && !stopping.signal.aborted) await pause(restMs())
      } catch (error) {
        recordFailure(error)
        await pause(lengthMs / 3)
      }
    }
  }

  const ended = compete()
  return {
    isLeading: () => leading !== undefined && !leading.signal.aborted,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

/** For observers: the holder whose position changes within `lengthMs`. Undefined if it does not change. */
export const currentLeader = async (
  readModel: Pick<LeaseStore, 'position' | 'whenApplied'>,
  name: string,
  lengthMs: number,
): Promise<string | undefined> => {
  const projection = `lease-${name}`
  const seen = await readModel.position(projection, partition)
  if (seen === undefined || seen.endsWith(`:${noHolder}`)) return undefined
  const [term = '', holder] = seen.split(':')
  const next = `${String(Number(term) + 1).padStart(term.length, '0')}:`
  return (await readModel.whenApplied(projection, partition, next, lengthMs)) ? holder : undefined
}
