import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { changeGenerations, type Generations } from './generations.ts'
import type { ReadModel } from './port.ts'

/** A run renews its claim several times a second; one that has not for so long is dead, or will find its claim gone. */
export const claimLapsesAfterMs = 5_000
/** And so many looks: a machine that slept has not looked, and neither has the run renewed. */
const looksBeforeLapse = 20

/** Whether a claim has stood still for too long, by the clock of whoever watches. To be told of each look at it. */
export const watchClaim = () => {
  let seen: { readonly version: string | undefined; readonly sinceMs: number; looks: number } | undefined
  return {
    hasLapsed({ version, claim }: Generations): boolean {
      if (claim === undefined) seen = undefined
      else if (seen === undefined || seen.version !== version) seen = { version, sinceMs: performance.now(), looks: 0 }
      else seen.looks++
      return (
        seen !== undefined && seen.looks >= looksBeforeLapse && performance.now() - seen.sinceMs >= claimLapsesAfterMs
      )
    },
  }
}

export type LiftOptions = {
  readonly control: ReadModel
  /** What serves a projection in this process, if it has it open. */
  readonly servingOf: (projection: string) => ReadModel | undefined
  readonly logger: Logger
}

/**
 * Takes away what a run left behind that died between its seal and its switch: as long as a generation is sealed nothing is
 * projected. Every serving process does it. First the claim goes, by compare-and-set, so that the run, should it
 * come back, cannot switch any more; then the seal. Whoever unseals late, when the next run has sealed again, does no
 * harm: a runner that moves on compares what it leaves with what it finds (projection/follow-generations.ts).
 */
export const createSealLifter = ({ control, servingOf, logger }: LiftOptions) => {
  const watch = watchClaim()
  const sealed = new Set<string>()

  const unseal = async (projections: Iterable<string>) => {
    for (const projection of projections) {
      const readModel = servingOf(projection)
      if (readModel === undefined) continue
      await readModel.unseal()
      logger.warn({ projection }, 'A replay left the read model sealed; it takes writes again')
    }
  }

  return {
    /** A commit was answered 'sealed'. */
    wasSealed: (projection: string): void => void sealed.add(projection),
    /** To be taken before the generations are looked up, and handed to `lift` with what was found. */
    takeSealed: (): ReadonlySet<string> => {
      const taken = new Set(sealed)
      sealed.clear()
      return taken
    },
    /** `found` is what the control document says now; the answer, what it says afterwards. */
    async lift(found: Generations, seen: ReadonlySet<string>): Promise<Generations> {
      const { claim } = found
      if (claim !== undefined && watch.hasLapsed(found)) {
        const changed = await changeGenerations(control, found, { claim: undefined })
        if (changed === undefined) return found
        logger.warn({ run: claim.by }, 'A replay has not been heard of any more and was given up')
        await unseal(claim.sealing)
        return changed
      }
      if (claim === undefined) watch.hasLapsed(found)
      const orphans = [...seen].filter((projection) => !claim?.sealing.includes(projection))
      await unseal(orphans)
      return found
    },
  }
}
