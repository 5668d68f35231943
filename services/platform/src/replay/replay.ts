import type { Position } from '../event-store/port.ts'
import { type LogPlace, positionOf } from '../bus/log-cursor.ts'
import { createRelay, type Relay } from '../bus/relay.ts'
import { projectionKey } from '../projection/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { type Generations, generationOf, isBuilt, type Serving } from '../read-model/generations.ts'
import { isLost } from '../read-model/lost.ts'
import { applyLog } from './apply-log.ts'
import type { Place } from './log-place.ts'
import type { HeldClaim } from './claim.ts'
import { type Difference, type Gate, gateOf, takeDigests } from './gate.ts'
import { handOver, type HandOverStep, type Leaving, type Succession } from './hand-over.ts'
import type { ReplayPorts } from './ports.ts'
import { planRepair, type Repair, type RepairedBesides } from './repair.ts'
import { type Opened, openLeaving, runWithClaim } from './run-with-claim.ts'
import { openTarget, type Target } from './target.ts'

export type Progress =
  | { readonly step: 'looking at what serves' | 'comparing' | 'handing over' }
  | { readonly step: 'reading'; readonly events: number; readonly place: Position; readonly until: Place }

export type ReplayOptions = ReplayPorts & {
  readonly projections: readonly Projection[]
  /** Distinguishes the new namespaces; like '20261121t140102'. */
  readonly stamp: string
  /** Switch even when what was built differs from what serves. */
  readonly force: boolean
  /**
   * What to compare a projection with in place of what serves, as when the log was restored: then nothing is switched unless all
   * are the same. By key, so by name and version; undefined where there is nothing to compare with.
   */
  readonly baselineOf?: (key: string) => Gate | undefined
  /** Given when `projections` are all there are: then the rest of the portal is repaired with them. */
  readonly besides?: RepairedBesides
  readonly signal: AbortSignal
  onProgress?(progress: Progress): void
  /** For tests. */
  onStep?(step: HandOverStep): Promise<void> | void
}

export type Replayed = {
  readonly projection: string
  readonly generation: string
  readonly previous: string
  /** Partitions that were compared; 0 when there was nothing to compare with. */
  readonly compared: number
  readonly differences: readonly Difference[]
  /** What served was incomplete: nothing was compared, and it is never served again. */
  readonly isRepair: boolean
  /** Refused: the generation is kept and can be looked at. */
  readonly outcome: 'switched' | 'refused'
}

type Built = Succession & { readonly gate: Gate | undefined }

const openBuilt = async (
  projection: Projection,
  claim: HeldClaim,
  opened: Opened,
  repair: Repair,
  options: ReplayOptions,
): Promise<Built> => {
  const name = generationName(projection, options.stamp)
  const key = projectionKey(projection)
  const leaving = await openLeaving(generationOf(claim.generations(), key), opened)
  const isRepair = repair.isIncomplete(key)
  const baseline = options.baselineOf?.(key)
  const gate = baseline ?? (isRepair ? undefined : await gateAt(projection, leaving))
  const target = await openTarget(projection, name, await opened.open(name), options.logger)
  target.gate = gate === 'lost' ? undefined : gate
  return { target, leaving, gate: target.gate, isRepair: isRepair || gate === 'lost' }
}

/** 'lost' where what serves cannot be read: nobody has noticed it yet. */
const gateAt = async ({ name }: Projection, { readModel }: Leaving): Promise<Gate | 'lost' | undefined> => {
  if (readModel === undefined) return 'lost'
  try {
    return gateOf(name, await takeDigests(name, readModel))
  } catch (error) {
    if (isLost(error)) return 'lost'
    throw error
  }
}

export const generationName = (projection: Projection, stamp: string): string => `${projectionKey(projection)}-${stamp}`

/** Takes the targets to the positions of their gates, all in one pass; answers from where they all can go on. */
const buildToGates = async (targets: readonly Target[], options: ReplayOptions, relay: Relay): Promise<LogPlace> => {
  const { log, signal, onProgress } = options
  let events = 0
  // Behind every position that a gate has.
  const until = await log.end()
  const onEvent = (place: Position) => {
    events++
    onProgress?.({ step: 'reading', events, place, until })
  }
  const reached = await applyLog({ log, relay, targets, after: 'start', until, signal, onEvent })
  await Promise.all(targets.map((target) => target.flush()))
  const from = earliest(targets.map(({ heldFrom }) => heldFrom ?? positionOf(reached)))
  return from === positionOf(reached) ? reached : from
}

export const earliest = (places: readonly Place[]): Place =>
  places.includes('start') ? 'start' : (places.toSorted()[0] ?? 'start')

const compare = async ({ target, leaving, gate, isRepair }: Built, force: boolean): Promise<Replayed> => {
  const { projection, readModel, name } = target
  const differences = (await gate?.differencesOf(readModel)) ?? []
  return {
    projection: projection.name,
    generation: name,
    previous: leaving.name,
    compared: gate?.partitions ?? 0,
    differences,
    isRepair,
    outcome: differences.length === 0 || force ? 'switched' : 'refused',
  }
}

/** Readers keep their epoch only where every number was seen to be the same. */
const successionOf = (built: Built, { compared, differences }: Replayed, before: Generations): Succession => {
  const { target, leaving, isRepair } = built
  const isSame = !isRepair && compared > 0 && differences.length === 0
  const epoch = before.serving[projectionKey(target.projection)]?.epoch ?? leaving.readModel?.epoch
  return { target, leaving, isRepair, epoch: isSame ? epoch : undefined }
}

/** Those that differ stay, to be looked at; what was kept so before goes. */
const keepRefused = async (differing: readonly Built[], claim: HeldClaim): Promise<void> => {
  const { serving, droppable } = claim.generations()
  const keyOf = ({ target }: Built) => projectionKey(target.projection)
  // One that is named would count as built.
  const refused = differing.filter((built) => isBuilt(claim.generations(), keyOf(built)))
  if (refused.length === 0) return
  const kept = refused.map((built): [string, Serving] => [
    keyOf(built),
    { ...(serving[keyOf(built)] ?? { generation: built.leaving.name }), refused: built.target.name },
  ])
  const keptBefore = refused.flatMap((built) => serving[keyOf(built)]?.refused ?? [])
  await claim.change({
    serving: { ...serving, ...Object.fromEntries(kept) },
    droppable: [...droppable, ...keptBefore].filter((name) => refused.every(({ target }) => target.name !== name)),
  })
}

/**
 * Builds the read models of the projections anew from the log, beside those that serve, and lets them take over when they prove to
 * be the same. Whatever ends it, at whatever moment, leaves one generation serving.
 */
export const replay = (options: ReplayOptions): Promise<readonly Replayed[]> =>
  runWithClaim(options, async (claim, opened, control) => {
    const { projections, stamp, force, publishers, besides, log, onProgress } = options
    const repair = await planRepair({ control, log, besides })
    const signal = AbortSignal.any([options.signal, claim.lost])
    const relay = createRelay(publishers)
    const names = projections.map((projection) => generationName(projection, stamp))
    await claim.change({ droppable: [...claim.generations().droppable, ...names] })

    onProgress?.({ step: 'looking at what serves' })
    const built: Built[] = []
    for (const projection of projections) {
      signal.throwIfAborted()
      built.push(await openBuilt(projection, claim, opened, repair, options))
    }
    const targets = built.map(({ target }) => target)
    const from = await buildToGates(targets, { ...options, signal }, relay)

    onProgress?.({ step: 'comparing' })
    const results: Replayed[] = []
    for (const each of built) {
      signal.throwIfAborted()
      results.push(await compare(each, force))
      each.target.gate = undefined
    }
    const successions = built.flatMap((each, index) => {
      const result = results[index]
      return result?.outcome === 'switched' ? [successionOf(each, result, claim.generations())] : []
    })
    const isAnyRefused = results.some(({ outcome }) => outcome === 'refused')
    if (options.baselineOf !== undefined && isAnyRefused) {
      await keepRefused(built, claim)
      return results.map((result): Replayed => ({ ...result, outcome: 'refused' }))
    }
    onProgress?.({ step: 'handing over' })
    const { isLogAnother } = repair
    if (successions.length > 0) await handOver({ ...options, relay, successions, isLogAnother, claim, from, signal })
    await repair.complete(successions.map(({ target }) => projectionKey(target.projection)))
    await keepRefused(
      built.filter((_, index) => results[index]?.outcome === 'refused'),
      claim,
    )
    return results
  })
