import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Checkpoints, ProjectionWriter } from '../read-model/port.ts'

const partition = 'leases'
/** The leader stops well before anybody else may begin. */
const certainShare = 0.8
const noHolder = 'free'

export type LeaseOptions = {
  readonly readModel: Pick<ProjectionWriter, 'commit'> & Pick<Checkpoints, 'position' | 'whenApplied'>
  /** What only one of all processes does at a time. */
  readonly name: string
  /** How long after its last sign of life a leader that has died is replaced. */
  readonly lengthMs: number
  /**
   * Does it, until the signal aborts. Called again whenever this process leads. Its end is waited for, but not by a leader
   * that follows one cut off: whatever it does must bear an overlap.
   */
  onLead(signal: AbortSignal): Promise<void>
  /**
   * How long the process stays away after it gave up the lead, so that others can take it: a third of the length where absent.
   */
  restMs?(): number
  readonly logger: Logger
}

/** A position of this holder's, and when it began to write it. */
type Turn = { readonly position: string; readonly sinceMs: number }

export type Lease = {
  /** Whether this process leads at the moment. */
  isLeading(): boolean
  /** Gives up the lead when what is under way has ended, so that another process can take it at once. */
  stop(): Promise<void>
}

/**
 * Of all processes that hold a lease of one name, one leads. The lease is a projection's position that rises with every
 * sign of life: `{turn}:{holder}`. No two clocks are compared: a leader counts from before it wrote, and who wants to follow it
 * waits until the position has not moved for the whole length by its own clock.
 */
export const holdLease = (options: LeaseOptions): Lease => {
  const { readModel, name, lengthMs, onLead, logger, restMs = () => lengthMs / 3 } = options
  const projection = `lease-${name}`
  const holder = randomUUID()
  const stopping = new AbortController()
  let leading: AbortController | undefined
  let isInTrouble = false

  const turnOf = (position: string): number => Number(position.slice(0, position.indexOf(':')))
  const positionOf = (turn: number, who: string): string => `${String(turn).padStart(16, '0')}:${who}`
  const after = (position: string | undefined, who: string): string =>
    positionOf(position === undefined ? 1 : turnOf(position) + 1, who)
  const find = () => readModel.position(projection, partition)
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  const stopped = new Promise<false>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(false), { once: true }),
  )

  /** True when it was written, also if only looking again shows it. */
  const write = async (expected: string | undefined, position: string): Promise<boolean> => {
    const outcome = await readModel.commit({ projection, partition, expected, position, writes: [] })
    return outcome === 'committed' || (outcome === 'conflict' && (await find()) === position)
  }

  /** The position that makes this process the leader, or undefined when another one leads. */
  const take = async (): Promise<Turn | undefined> => {
    const seen = await find()
    if (seen !== undefined && !seen.endsWith(`:${noHolder}`)) {
      const seenAtMs = performance.now()
      const hasMoved = readModel.whenApplied(projection, partition, positionOf(turnOf(seen) + 1, ''), lengthMs)
      if (await Promise.race([hasMoved, stopped])) return undefined
      // Time-outs may come a little early.
      await pause(Math.max(0, seenAtMs + lengthMs - performance.now()))
    }
    if (stopping.signal.aborted) return undefined
    const position = after(seen, holder)
    const sinceMs = performance.now()
    return (await write(seen, position)) ? { position, sinceMs } : undefined
  }

  const noteTrouble = (error: unknown) => {
    if (!isInTrouble) logger.warn({ err: error, lease: name }, 'The lease cannot be reached')
    isInTrouble = true
  }

  /** Renews until the work has ended or somebody else leads; the position written last. Aborts the work when it is late. */
  const renew = async (taken: Turn, work: Promise<void>, cutOff: () => void): Promise<string> => {
    let { position } = taken
    let hasEnded = false
    void work.then(() => (hasEnded = true))
    const certainFrom = (sinceMs: number) =>
      setTimeout(cutOff, Math.max(0, sinceMs + lengthMs * certainShare - performance.now()))
    let deadline = certainFrom(taken.sinceMs)
    try {
      for (;;) {
        await Promise.race([delay(lengthMs / 3, undefined, { ref: false }), work])
        if (hasEnded) return position
        const next = after(position, holder)
        const sinceMs = performance.now()
        try {
          if (!(await write(position, next))) return position
          position = next
          clearTimeout(deadline)
          deadline = certainFrom(sinceMs)
        } catch (error) {
          // If it was written all the same, the next attempt finds that out.
          noteTrouble(error)
        }
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  const lead = async (taken: Turn) => {
    const mine = new AbortController()
    const end = () => mine.abort()
    stopping.signal.addEventListener('abort', end, { once: true })
    if (stopping.signal.aborted) end()
    leading = mine
    logger.info({ lease: name }, 'Leads')
    const work = onLead(mine.signal).catch((error: unknown) =>
      logger.error({ err: error, lease: name }, 'What the leader does has failed'),
    )
    try {
      const position = await renew(taken, work, () => {
        logger.warn({ lease: name }, 'The lead could not be renewed in time')
        end()
      })
      end()
      await work
      // Refused when somebody else leads by now.
      await write(position, after(position, noHolder))
    } finally {
      leading = undefined
      stopping.signal.removeEventListener('abort', end)
      logger.info({ lease: name }, 'Does not lead any more')
    }
  }

  const compete = async () => {
    while (!stopping.signal.aborted) {
      try {
        const taken = await take()
        if (isInTrouble) logger.info({ lease: name }, 'The lease can be reached again')
        isInTrouble = false
        if (taken === undefined) continue
        await lead(taken)
        // Whoever gave it up lets others go first.
        if (!stopping.signal.aborted) await pause(restMs())
      } catch (error) {
        noteTrouble(error)
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

/** Who leads, for whoever only looks: a lead shows by moving. Undefined when nobody has led for `lengthMs`. */
export const whoLeads = async (readModel: Checkpoints, name: string, lengthMs: number): Promise<string | undefined> => {
  const projection = `lease-${name}`
  const seen = await readModel.position(projection, partition)
  if (seen === undefined || seen.endsWith(`:${noHolder}`)) return undefined
  const [turn = '', holder] = seen.split(':')
  const next = `${String(Number(turn) + 1).padStart(turn.length, '0')}:`
  return (await readModel.whenApplied(projection, partition, next, lengthMs)) ? holder : undefined
}
