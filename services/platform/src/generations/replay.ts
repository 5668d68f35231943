import type { Position } from '../event-store/port.ts'
import { type LogPosition, positionOf } from '../bus/log-cursor.ts'
import { createRelay, type Relay } from '../bus/relay.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { type Generations, generationOf, isBuilt, type Serving } from './generations.ts'
import { isDataLoss } from '../read-model/errors.ts'
import { applyLog, type BuiltPosition, openRebuildTarget, type RebuildTarget } from './rebuild-target.ts'
import { type HeldReplayLock, ReplayLockLostError } from './replay-lock.ts'
import { type DifferingRows, findDifferingRows } from './differing-rows.ts'
import { type Difference, type Baseline, baselineFrom, takeDigests } from './baseline-check.ts'
import { cutOver, type CutoverStep, type ReplacedGeneration, type Replacement } from './cutover.ts'
import { planRepair, type Repair, type OtherConsumers } from './repair.ts'
import { type Opened, openReplaced, type ReplayPorts, runWithReplayLock } from './run-with-replay-lock.ts'

export type Progress =
  | { readonly step: 'taking digests' | 'comparing' | 'switching' }
  | { readonly step: 'reading'; readonly events: number; readonly position: Position; readonly until: BuiltPosition }

export type ReplayOptions = ReplayPorts & {
  readonly projections: readonly Projection[]
  /** Distinguishes the new namespaces; like '20261121t140102'. */
  readonly stamp: string
  /** Switch even if the new generation differs from the active one. */
  readonly force: boolean
  /**
   * Returns the baseline for a projection key in place of the active generation, as after a restore. Then no projection is switched
   * unless all are equal to their baselines.
   */
  readonly baselineOf?: (key: string) => Baseline | undefined
  /** Only if `projections` names all projections. A repair then also resets these consumers. */
  readonly otherConsumers?: OtherConsumers
  readonly signal: AbortSignal
  onProgress?(progress: Progress): void
  /** Called after the cutover and before the rows that differ are read, which can take long. */
  onSwitched?(switched: readonly Replayed[]): Promise<void>
  /** For tests. */
  onStep?(step: CutoverStep): Promise<void> | void
}

export type Replayed = {
  readonly projection: string
  readonly generation: string
  readonly previous: string
  /** Number of compared partitions; 0 without a baseline. */
  readonly compared: number
  readonly differences: readonly Difference[]
  /** Of a generation that was not switched. */
  readonly differingRows?: DifferingRows
  /** The replaced generation was incomplete: it was not compared, and never becomes active again. */
  readonly isRepair: boolean
  /** 'refused': the new generation differs and is kept for inspection. */
  readonly outcome: 'switched' | 'refused'
}

type Built = Replacement & { readonly replaced: ReplacedGeneration; readonly baseline: Baseline | undefined }
type Compared = Built & { readonly result: Replayed }

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

/** 'lost' if the active generation has lost data and no process has recorded it yet. */
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

/** Builds the targets up to their baselines in one pass. Returns the position from which all of them can continue. */
const buildToBaselines = async (
  targets: readonly RebuildTarget[],
  options: ReplayOptions,
  relay: Relay,
): Promise<LogPosition> => {
  const { log, signal, onProgress } = options
  let events = 0
  // The end of the log is after every baseline.
  const until = await log.end()
  const onEvent = (position: Position) => {
    events++
    onProgress?.({ step: 'reading', events, position, until })
  }
  const reached = await applyLog({ log, relay, targets, after: 'start', until, signal, onEvent })
  await Promise.all(targets.map((target) => target.flush()))
  const from = earliest(targets.map(({ heldFrom }) => heldFrom ?? positionOf(reached)))
  return from === positionOf(reached) ? reached : from
}

export const earliest = (positions: readonly BuiltPosition[]): BuiltPosition =>
  positions.includes('start') ? 'start' : (positions.toSorted()[0] ?? 'start')

const compare = async (built: Built, force: boolean): Promise<Compared> => {
  const { target, replaced, baseline, isRepair } = built
  const { projection, readModel, name } = target
  const differences = (await baseline?.differencesOf(readModel)) ?? []
  target.baseline = undefined
  return {
    ...built,
    result: {
      projection: projection.name,
      generation: name,
      previous: replaced.name,
      compared: baseline?.partitions ?? 0,
      differences,
      isRepair,
      outcome: differences.length === 0 || force ? 'switched' : 'refused',
    },
  }
}

/** Readers keep their epoch only if the comparison found no difference. */
const replacementOf = ({ target, replaced, isRepair, result }: Compared, { serving }: Generations): Replacement => {
  const isSame = !isRepair && result.compared > 0 && result.differences.length === 0
  const epoch = serving[projectionKey(target.projection)]?.epoch ?? replaced.readModel?.epoch
  return { target, replaced, isRepair, epoch: isSame ? epoch : undefined }
}

/** Keeps generations that differ for inspection, and drops those that were kept before. */
const keepRejected = async (differing: readonly Built[], lock: HeldReplayLock): Promise<void> => {
  const { serving, droppable } = lock.generations()
  const keyOf = ({ target }: Built) => projectionKey(target.projection)
  // An entry in the document would mark a version that was never built as built.
  const refused = differing.filter((built) => isBuilt(lock.generations(), keyOf(built)))
  if (refused.length === 0) return
  const kept = refused.map((built): [string, Serving] => [
    keyOf(built),
    { ...(serving[keyOf(built)] ?? { generation: built.replaced.name }), refused: built.target.name },
  ])
  const keptBefore = refused.flatMap((built) => serving[keyOf(built)]?.refused ?? [])
  await lock.change({
    serving: { ...serving, ...Object.fromEntries(kept) },
    droppable: [...droppable, ...keptBefore],
  })
}

/** After a cutover, a lost lock does not undo what was switched, so it is not an error. */
const keepIfHeld = async (refused: readonly Built[], lock: HeldReplayLock, { logger }: ReplayOptions) => {
  try {
    await keepRejected(refused, lock)
  } catch (error) {
    if (!(error instanceof ReplayLockLostError)) throw error
    logger.warn('replay lock lost after the cutover, rejected generations not kept')
  }
}

/**
 * By generation. Empty for a generation whose rows cannot be read, or when the run is canceled: the result is known without them.
 */
const rowsOfRejected = async (
  refused: readonly Compared[],
  { logger, ...options }: ReplayOptions & { readonly relay: Relay; readonly from: LogPosition },
): Promise<ReadonlyMap<string, Pick<Replayed, 'differingRows'>>> => {
  const found = new Map<string, Pick<Replayed, 'differingRows'>>()
  for (const { target, replaced, result } of refused) {
    if (options.signal.aborted) break
    try {
      const { differences } = result
      const differingRows = await findDifferingRows({ target, replaced, differences }, options)
      found.set(target.name, { differingRows })
    } catch (error) {
      if (options.signal.aborted) break
      logger.warn({ err: error, generation: target.name }, 'rows of a rejected generation not compared')
    }
  }
  return found
}

/**
 * Builds a new generation of each projection from the log, beside the active one, and switches to it if both are equal. If the run
 * fails or dies at any step, one complete generation stays active.
 */
export const replay = (options: ReplayOptions): Promise<readonly Replayed[]> =>
  runWithReplayLock(options, async (lock, opened, control) => {
    const { projections, stamp, force, publishers, otherConsumers, log, onProgress } = options
    const repair = await planRepair({ control, log, otherConsumers })
    const signal = AbortSignal.any([options.signal, lock.lost])
    const relay = createRelay(publishers)
    const names = projections.map((projection) => generationName(projection, stamp))
    await lock.change({ droppable: [...lock.generations().droppable, ...names] })

    onProgress?.({ step: 'taking digests' })
    const built: Built[] = []
    for (const projection of projections) {
      signal.throwIfAborted()
      built.push(await openBuilt(projection, lock, opened, repair, options))
    }
    const targets = built.map(({ target }) => target)
    const from = await buildToBaselines(targets, { ...options, signal }, relay)

    onProgress?.({ step: 'comparing' })
    const compared: Compared[] = []
    for (const each of built) {
      signal.throwIfAborted()
      compared.push(await compare(each, force))
    }
    const refused = compared.filter(({ result }) => result.outcome === 'refused')
    if (options.baselineOf !== undefined && refused.length > 0) {
      await keepRejected(built, lock)
      return compared.map(({ result }): Replayed => ({ ...result, outcome: 'refused' }))
    }
    onProgress?.({ step: 'switching' })
    const switched = compared.filter(({ result }) => result.outcome === 'switched')
    const replacements = switched.map((each) => replacementOf(each, lock.generations()))
    const { isDifferentLog } = repair
    if (replacements.length > 0) await cutOver({ ...options, relay, replacements, isDifferentLog, lock, from, signal })
    await repair.complete(replacements.map(({ target }) => projectionKey(target.projection)))
    await (replacements.length > 0 ? keepIfHeld(refused, lock, options) : keepRejected(refused, lock))
    await options.onSwitched?.(switched.map(({ result }) => result))
    const rows = await rowsOfRejected(refused, { ...options, relay, from, signal })
    return compared.map(({ result }) => ({ ...result, ...rows.get(result.generation) }))
  })
