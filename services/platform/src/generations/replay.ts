import type { Position } from '../event-store/port.ts'
import { type LogPosition, positionOf } from '../bus/log-cursor.ts'
import { createRelay, type Relay } from '../bus/relay.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { type Generations, generationOf, isBuilt, type Serving } from './generations.ts'
import { isDataLoss } from '../read-model/errors.ts'
import { applyLog, type BuiltPosition, openRebuildTarget, type RebuildTarget } from './rebuild-target.ts'
import type { HeldReplayLock } from './replay-lock.ts'
import { type Difference, type Baseline, baselineFrom, takeDigests } from './baseline-check.ts'
import { cutOver, type CutoverStep, type ReplacedGeneration, type Replacement } from './cutover.ts'
import { planRepair, type Repair, type OtherConsumers } from './repair.ts'
import { type Opened, openReplaced, type ReplayPorts, runWithReplayLock } from './run-with-replay-lock.ts'

export type Progress =
  | { readonly step: 'looking at what serves' | 'comparing' | 'handing over' }
  | { readonly step: 'reading'; readonly events: number; readonly place: Position; readonly until: BuiltPosition }

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
  readonly baselineOf?: (key: string) => Baseline | undefined
  /** Given when `projections` are all there are: then the rest of the portal is repaired with them. */
  readonly otherConsumers?: OtherConsumers
  readonly signal: AbortSignal
  onProgress?(progress: Progress): void
  /** For tests. */
  onStep?(step: CutoverStep): Promise<void> | void
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

type Built = Replacement & { readonly baseline: Baseline | undefined }

const openBuilt = async (
  projection: Projection,
  lock: HeldReplayLock,
  opened: Opened,
  repair: Repair,
  options: ReplayOptions,
): Promise<Built> => {
  const name = generationName(projection, options.stamp)
  const key = projectionKey(projection)
  const replaced = await openReplaced(generationOf(lock.generations(), key), opened)
  const isRepair = repair.isIncomplete(key)
  const found = options.baselineOf?.(key) ?? (isRepair ? undefined : await baselineAt(projection, replaced))
  const baseline = found === 'lost' ? undefined : found
  const target = await openRebuildTarget(projection, name, await opened.open(name), options.logger)
  target.baseline = baseline
  return { target, replaced, baseline, isRepair: isRepair || found === 'lost' }
}

/** 'lost' when the active generation cannot be read, which no process has noticed yet. */
const baselineAt = async (
  { name }: Projection,
  { readModel }: ReplacedGeneration,
): Promise<Baseline | 'lost' | undefined> => {
  if (readModel === undefined) return 'lost'
  try {
    return baselineFrom(name, await takeDigests(name, readModel))
  } catch (error) {
    if (isDataLoss(error)) return 'lost'
    throw error
  }
}

export const generationName = (projection: Projection, stamp: string): string => `${projectionKey(projection)}-${stamp}`

/** Takes the targets to the positions of their baselines in one pass. Returns the position from which all of them can go on. */
const buildToBaselines = async (
  targets: readonly RebuildTarget[],
  options: ReplayOptions,
  relay: Relay,
): Promise<LogPosition> => {
  const { log, signal, onProgress } = options
  let events = 0
  // After every position of a baseline.
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

export const earliest = (positions: readonly BuiltPosition[]): BuiltPosition =>
  positions.includes('start') ? 'start' : (positions.toSorted()[0] ?? 'start')

const compare = async ({ target, replaced, baseline, isRepair }: Built, force: boolean): Promise<Replayed> => {
  const { projection, readModel, name } = target
  const differences = (await baseline?.differencesOf(readModel)) ?? []
  return {
    projection: projection.name,
    generation: name,
    previous: replaced.name,
    compared: baseline?.partitions ?? 0,
    differences,
    isRepair,
    outcome: differences.length === 0 || force ? 'switched' : 'refused',
  }
}

/** Readers keep their epoch only if the comparison found no difference. */
const replacementOf = (built: Built, { compared, differences }: Replayed, before: Generations): Replacement => {
  const { target, replaced, isRepair } = built
  const isSame = !isRepair && compared > 0 && differences.length === 0
  const epoch = before.serving[projectionKey(target.projection)]?.epoch ?? replaced.readModel?.epoch
  return { target, replaced, isRepair, epoch: isSame ? epoch : undefined }
}

/** Keeps generations that differ for inspection, and drops those that were kept before. */
const keepRejected = async (differing: readonly Built[], lock: HeldReplayLock): Promise<void> => {
  const { serving, droppable } = lock.generations()
  const keyOf = ({ target }: Built) => projectionKey(target.projection)
  // A key in the document would count as built.
  const refused = differing.filter((built) => isBuilt(lock.generations(), keyOf(built)))
  if (refused.length === 0) return
  const kept = refused.map((built): [string, Serving] => [
    keyOf(built),
    { ...(serving[keyOf(built)] ?? { generation: built.replaced.name }), refused: built.target.name },
  ])
  const keptBefore = refused.flatMap((built) => serving[keyOf(built)]?.refused ?? [])
  await lock.change({
    serving: { ...serving, ...Object.fromEntries(kept) },
    droppable: [...droppable, ...keptBefore].filter((name) => refused.every(({ target }) => target.name !== name)),
  })
}

/**
 * Builds a new generation of each projection from the log, beside the active one, and switches to it when both prove equal. Whenever
 * and however it ends, one generation is active.
 */
export const replay = (options: ReplayOptions): Promise<readonly Replayed[]> =>
  runWithReplayLock(options, async (lock, opened, control) => {
    const { projections, stamp, force, publishers, otherConsumers, log, onProgress } = options
    const repair = await planRepair({ control, log, otherConsumers })
    const signal = AbortSignal.any([options.signal, lock.lost])
    const relay = createRelay(publishers)
    const names = projections.map((projection) => generationName(projection, stamp))
    await lock.change({ droppable: [...lock.generations().droppable, ...names] })

    onProgress?.({ step: 'looking at what serves' })
    const built: Built[] = []
    for (const projection of projections) {
      signal.throwIfAborted()
      built.push(await openBuilt(projection, lock, opened, repair, options))
    }
    const targets = built.map(({ target }) => target)
    const from = await buildToBaselines(targets, { ...options, signal }, relay)

    onProgress?.({ step: 'comparing' })
    const results: Replayed[] = []
    for (const each of built) {
      signal.throwIfAborted()
      results.push(await compare(each, force))
      each.target.baseline = undefined
    }
    const replacements = built.flatMap((each, index) => {
      const result = results[index]
      return result?.outcome === 'switched' ? [replacementOf(each, result, lock.generations())] : []
    })
    const isAnyRefused = results.some(({ outcome }) => outcome === 'refused')
    if (options.baselineOf !== undefined && isAnyRefused) {
      await keepRejected(built, lock)
      return results.map((result): Replayed => ({ ...result, outcome: 'refused' }))
    }
    onProgress?.({ step: 'handing over' })
    const { isLogAnother } = repair
    if (replacements.length > 0) await cutOver({ ...options, relay, replacements, isLogAnother, lock, from, signal })
    await repair.complete(replacements.map(({ target }) => projectionKey(target.projection)))
    await keepRejected(
      built.filter((_, index) => results[index]?.outcome === 'refused'),
      lock,
    )
    return results
  })
