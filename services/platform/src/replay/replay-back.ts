import { createRelay } from '../bus/relay.ts'
import type { Projection } from '../projection/projection.ts'
import { projectionGroup } from '../projection/run-projection.ts'
import { generationOf } from '../read-model/generations.ts'
import { handOver, type HandOverStep, type Succession } from './hand-over.ts'
import { loadLogPlace, type Place } from './log-place.ts'
import type { ReplayPorts } from './ports.ts'
import { earliest, type Replayed } from './replay.ts'
import { openLeaving, runWithClaim } from './run-with-claim.ts'
import { openTarget } from './target.ts'

export class NothingToGoBackToError extends Error {
  override readonly name = 'NothingToGoBackToError'
  readonly isForPeople = true
}

export type ReplayBackOptions = ReplayPorts & {
  readonly projections: readonly Projection[]
  readonly signal: AbortSignal
  /** For tests. */
  onStep?(step: HandOverStep): Promise<void> | void
}

export type WentBack = Pick<Replayed, 'projection' | 'generation' | 'previous'>

/** Lets the generations before take over again, brought up to the log's end; what serves now becomes the one to go back to. */
export const replayBack = (options: ReplayBackOptions): Promise<readonly WentBack[]> =>
  runWithClaim(options, async (claim, opened) => {
    const { projections, logger, publishers } = options
    const signal = AbortSignal.any([options.signal, claim.lost])
    const known = claim.generations()
    const successions: Succession[] = []
    const places: Place[] = []
    for (const projection of projections) {
      const { name } = projection
      const previous = known.serving[name]?.previous
      if (previous === undefined) continue
      const readModel = await opened.open(previous)
      const place = await loadLogPlace(readModel, projectionGroup(name))
      if (place === undefined) {
        throw new NothingToGoBackToError(`${previous}, which served before, is gone; replay ${name} instead`)
      }
      await readModel.unseal()
      places.push(place)
      successions.push({
        target: await openTarget(projection, previous, readModel, logger),
        leaving: await openLeaving(generationOf(known, name), opened),
      })
    }
    if (successions.length === 0) throw new NothingToGoBackToError('No replay has left a generation to go back to')
    const relay = createRelay(publishers)
    await handOver({ ...options, relay, successions, claim, from: earliest(places), signal })
    return successions.map(({ target, leaving }) => ({
      projection: target.projection.name,
      generation: target.name,
      previous: leaving.name,
    }))
  })
