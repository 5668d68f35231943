import type { Logger } from 'pino'
import { systemTimers, type Timers } from '../async/timers.ts'
import type { Maintenance, ProjectionWriter } from '../read-model/port.ts'
import { changeGenerations, type Generations } from './generations.ts'

/** A run renews its lock several times a second. One that has not done so for this long is considered dead. */
const lockExpiresAfterMs = 5_000
/** A lock expires only after this many polls, because a machine that slept has neither polled nor renewed. */
const pollsBeforeExpiry = 20

/** Detects an expired lock by the clock of this process. Call `hasExpired` at each poll. */
export const watchReplayLock = ({ elapsedMs }: Pick<Timers, 'elapsedMs'> = systemTimers) => {
  let seen: { readonly version: string | undefined; readonly sinceMs: number; polls: number } | undefined
  return {
    hasExpired({ version, claim }: Generations): boolean {
      if (claim === undefined) seen = undefined
      else if (seen === undefined || seen.version !== version) seen = { version, sinceMs: elapsedMs(), polls: 0 }
      else seen.polls++
      return seen !== undefined && seen.polls >= pollsBeforeExpiry && elapsedMs() - seen.sinceMs >= lockExpiresAfterMs
    },
  }
}

type RecoveryOptions = {
  readonly control: Pick<ProjectionWriter, 'commit'>
  /** The active generation of a projection, if this process has it open. */
  readonly activeOf: (projection: string) => Pick<Maintenance, 'unfence'> | undefined
  readonly logger: Logger
  readonly timers?: Timers
}

/**
 * Removes the fences of a run that died before its switch, because no projection advances in a fenced generation. Every serving process
 * does this. It first removes the lock by compare-and-set, so that the run cannot switch if it comes back. Then it removes the fence. The
 * run may take the lock again if no other run has, but has to fence again before it switches (replay-lock.ts).
 *
 * Removing a fence of the next run does no harm, because projections compare both generations after a switch (generation-switcher.ts).
 */
export const createStaleFenceRecovery = ({ control, activeOf, logger, timers }: RecoveryOptions) => {
  const lock = watchReplayLock(timers)
  const fenced = new Set<string>()

  const unfence = async (projections: Iterable<string>) => {
    for (const projection of projections) {
      const readModel = activeOf(projection)
      if (readModel === undefined) continue
      await readModel.unfence()
      logger.warn({ projection }, 'removed a stale fence, the read model accepts writes again')
    }
  }

  return {
    /** A commit was answered 'fenced'. */
    reportFenced: (projection: string): void => void fenced.add(projection),
    /** Call it before loading the generations, and pass both results to `recover`. */
    takeFenced: (): ReadonlySet<string> => {
      const taken = new Set(fenced)
      fenced.clear()
      return taken
    },
    /** `found` is the generations document before the call. Returns the document after it. */
    async recover(found: Generations, seen: ReadonlySet<string>): Promise<Generations> {
      const { claim } = found
      if (claim !== undefined && lock.hasExpired(found)) {
        const changed = await changeGenerations(control, found, { claim: undefined, expired: claim })
        if (changed === undefined) return found
        logger.warn({ run: claim.by }, 'replay lock expired, removed it')
        await unfence(claim.sealing)
        return changed
      }
      if (claim === undefined) lock.hasExpired(found)
      await unfence([...seen].filter((projection) => !claim?.sealing.includes(projection)))
      return found
    },
  }
}
export type StaleFenceRecovery = ReturnType<typeof createStaleFenceRecovery>
