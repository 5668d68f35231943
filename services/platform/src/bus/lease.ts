import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { sleep } from '../async/timers.ts'
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
const createLeaseRecord = ({ readModel, name, lengthMs }: LeaseOptions, signal: AbortSignal) => {
  const projection = `lease-${name}`
  const holder = randomUUID()
  const stopped = new Promise<false>((resolve) =>
    signal.addEventListener('abort', () => resolve(false), { once: true }),
  )
  const find = () => readModel.position(projection, partition)

  /** Returns true if the position was written, even if the first answer was lost. */
  const write = async (expected: string | undefined, position: string): Promise<boolean> => {
    const outcome = await readModel.commit({ projection, partition, expected, position, writes: [] })
    return outcome === 'committed' || (outcome === 'conflict' && (await find()) === position)
  }

  return {
    /** Takes the lease. Undefined while another process leads. */
    async take(): Promise<Term | undefined> {
      const seen = await find()
      if (seen !== undefined && !seen.endsWith(`:${noHolder}`)) {
        const seenAtMs = performance.now()
        const hasMoved = readModel.whenApplied(projection, partition, positionOf(termOf(seen) + 1, ''), lengthMs)
        if (await Promise.race([hasMoved, stopped])) return undefined
        // Timers may fire a little early.
        await sleep(Math.max(0, seenAtMs + lengthMs - performance.now()), { signal })
      }
      if (signal.aborted) return undefined
      const position = nextPosition(seen, holder)
      const sinceMs = performance.now()
      return (await write(seen, position)) ? { position, sinceMs } : undefined
    },
    /** Undefined when another process leads. */
    async renew(position: string): Promise<Term | undefined> {
      const next = nextPosition(position, holder)
      const sinceMs = performance.now()
      return (await write(position, next)) ? { position: next, sinceMs } : undefined
    },
    /** Has no effect when another process leads. */
    release: (position: string) => write(position, nextPosition(position, noHolder)),
  }
}

/**
 * Elects one leader among all processes that hold a lease of this name. Clocks of different processes are never compared. A leader
 * measures from before its write. Another process takes the lease if the position has not changed for the whole length.
 */
export const holdLease = (options: LeaseOptions): Lease => {
  const { name, lengthMs, onLead, logger, restMs = () => lengthMs / 3 } = options
  const stopping = new AbortController()
  const record = createLeaseRecord(options, stopping.signal)
  let leading: AbortController | undefined
  let isUnavailable = false
  const pause = (ms: number) => sleep(ms, { signal: stopping.signal })

  const recordFailure = (error: unknown) => {
    if (!isUnavailable) logger.warn({ err: error, lease: name }, 'lease unavailable, retrying')
    isUnavailable = true
  }

  /** Renews until the work ends or another process leads. Calls `onLate` if a renewal is overdue. Returns the last position. */
  const keepRenewing = async (taken: Term, work: Promise<void>, onLate: () => void): Promise<string> => {
    let { position } = taken
    let hasEnded = false
    void work.then(() => (hasEnded = true))
    const deadlineOf = ({ sinceMs }: Term) =>
      setTimeout(onLate, Math.max(0, sinceMs + lengthMs * safeShare - performance.now()))
    let deadline = deadlineOf(taken)
    try {
      for (;;) {
        await Promise.race([sleep(lengthMs / 3, { unref: true }), work])
        if (hasEnded) return position
        try {
          const renewed = await record.renew(position)
          if (renewed === undefined) return position
          position = renewed.position
          clearTimeout(deadline)
          deadline = deadlineOf(renewed)
        } catch (error) {
          // The write may have succeeded, which the next renewal detects.
          recordFailure(error)
        }
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  const lead = async (taken: Term) => {
    const current = new AbortController()
    const end = () => current.abort()
    stopping.signal.addEventListener('abort', end, { once: true })
    if (stopping.signal.aborted) end()
    leading = current
    logger.info({ lease: name }, 'lease acquired')
    const work = onLead(current.signal).catch((error: unknown) =>
      logger.error({ err: error, lease: name }, 'work of the leader failed'),
    )
    try {
      const position = await keepRenewing(taken, work, () => {
        logger.warn({ lease: name }, 'lease not renewed in time, stopping work')
        end()
      })
      end()
      await work
      await record.release(position)
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
        await lead(taken)
        if (!stopping.signal.aborted) await pause(restMs())
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
