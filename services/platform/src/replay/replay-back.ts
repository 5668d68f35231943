import { createRelay } from '../bus/relay.ts'
import { keepDiscontinuities } from '../discontinuity/discontinuities.ts'
import { projectionConsumer, wholeLog } from '../discontinuity/discontinuity.ts'
import { projectionKey } from '../projection/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { projectionGroup } from '../projection/run-projection.ts'
import { generationOf } from '../read-model/generations.ts'
import { handOver, type HandOverStep, type Succession } from './hand-over.ts'
import { loadLogPlace, type Place } from './log-place.ts'
import type { ReplayPorts } from './ports.ts'
import { earliest, type Replayed } from './replay.ts'
import { OnlyAllTogetherError } from './repair.ts'
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
  runWithClaim(options, async (claim, opened, control) => {
    const { projections, logger, publishers } = options
    const open = await keepDiscontinuities(control).all()
    const isOpen = (name: string) => open.some(({ consumer }) => consumer === name)
    // What served before was made of the same log, which is no more.
    if (isOpen(wholeLog)) throw new OnlyAllTogetherError('going back')
    const signal = AbortSignal.any([options.signal, claim.lost])
    const known = claim.generations()
    const successions: Succession[] = []
    const places: Place[] = []
    for (const projection of projections) {
      const key = projectionKey(projection)
      const previous = known.serving[key]?.previous
      if (previous === undefined) continue
      const readModel = await opened.open(previous)
      const place = await loadLogPlace(readModel, projectionGroup(projection))
      if (place === undefined) {
        throw new NothingToGoBackToError(`${previous}, which served before, is gone; replay ${projection.name} instead`)
      }
      await readModel.unseal()
      places.push(place)
      successions.push({
        target: await openTarget(projection, previous, readModel, logger),
        leaving: await openLeaving(generationOf(known, key), opened),
        isRepair: isOpen(projectionConsumer(key)),
      })
    }
    if (successions.length === 0) throw new NothingToGoBackToError('No replay has left a generation to go back to')
    const relay = createRelay(publishers)
    await handOver({ ...options, relay, successions, claim, from: earliest(places), signal })
    const wentBack = successions.map(({ target }) => projectionConsumer(projectionKey(target.projection)))
    await keepDiscontinuities(control).clear(wentBack.filter(isOpen))
    return successions.map(({ target, leaving }) => ({
      projection: target.projection.name,
      generation: target.name,
      previous: leaving.name,
    }))
  })
