import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Maintenance, ProjectionWriter } from '../read-model/port.ts'
import { changeGenerations, type Generations } from './generations.ts'

/** A run renews its lock several times a second. A run that has not for this long is dead, or will find that it lost the lock. */
const lockExpiresAfterMs = 5_000
/** A lock expires only after as many looks: a machine that slept has neither looked nor renewed. */
const looksBeforeExpiry = 20

/** Watches whether a lock is renewed, by the clock of the watcher. Call `hasExpired` at each look. */
export const watchReplayLock = () => {
  let seen: { readonly version: string | undefined; readonly sinceMs: number; looks: number } | undefined
  return {
    hasExpired({ version, claim }: Generations): boolean {
      if (claim === undefined) seen = undefined
      else if (seen === undefined || seen.version !== version) seen = { version, sinceMs: performance.now(), looks: 0 }
      else seen.looks++
      return (
        seen !== undefined && seen.looks >= looksBeforeExpiry && performance.now() - seen.sinceMs >= lockExpiresAfterMs
      )
    },
  }
}

type RecoveryOptions = {
  readonly control: ProjectionWriter
  /** The active generation of a projection, if this process has it open. */
  readonly activeOf: (projection: string) => Pick<Maintenance, 'unfence'> | undefined
  readonly logger: Logger
}

/**
 * Lifts the fences that a run left behind when it died between its fence and its switch: nothing is projected into a fenced generation.
 * Every serving process does this. It first removes the lock by compare-and-set, so that the run cannot switch any more if it comes back,
 * and then lifts the fence. Lifting a fence that the next run has set does no harm: a runner that moves on compares the previous generation
 * with the next one (generation-switcher.ts).
 */
export const createStaleFenceRecovery = ({ control, activeOf, logger }: RecoveryOptions) => {
  const lock = watchReplayLock()
  const fenced = new Set<string>()

  const unfence = async (projections: Iterable<string>) => {
    for (const projection of projections) {
      const readModel = activeOf(projection)
      if (readModel === undefined) continue
      await readModel.unfence()
      logger.warn({ projection }, 'A replay left the read model sealed; it takes writes again')
    }
  }

  return {
    /** A commit was answered 'fenced'. */
    wasFenced: (projection: string): void => void fenced.add(projection),
    /** Call it before loading the generations, and pass the answer to `recover` with them. */
    takeFenced: (): ReadonlySet<string> => {
      const taken = new Set(fenced)
      fenced.clear()
      return taken
    },
    /** `found` is the control document before the call; returns the document after it. */
    async recover(found: Generations, seen: ReadonlySet<string>): Promise<Generations> {
      const { claim } = found
      if (claim !== undefined && lock.hasExpired(found)) {
        const changed = await changeGenerations(control, found, { claim: undefined })
        if (changed === undefined) return found
        logger.warn({ run: claim.by }, 'A replay has not been heard of any more and was given up')
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
