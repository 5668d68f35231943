import type { Position } from '../event-store/port.ts'
import { createRelay, type Relay } from '../bus/relay.ts'
import type { Projection } from '../projection/projection.ts'
import { generationOf, type Serving } from '../read-model/generations.ts'
import { applyLog } from './apply-log.ts'
import type { Place } from './log-place.ts'
import type { HeldClaim } from './claim.ts'
import { type Difference, type Gate, takeGate } from './gate.ts'
import { handOver, type HandOverStep, type Succession } from './hand-over.ts'
import type { ReplayPorts } from './ports.ts'
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
  /** Refused: the generation is kept and can be looked at. */
  readonly outcome: 'switched' | 'refused'
}

type Built = Succession & { readonly gate: Gate | undefined }

const openBuilt = async (
  projection: Projection,
  claim: HeldClaim,
  opened: Opened,
  options: ReplayOptions,
): Promise<Built> => {
  const name = generationName(projection, options.stamp)
  const leaving = await openLeaving(generationOf(claim.generations(), projection.name), opened)
  const gate = leaving.readModel && (await takeGate(projection.name, leaving.readModel))
  const target = await openTarget(projection, name, await opened.open(name), options.logger)
  target.gate = gate
  return { target, leaving, gate }
}

const generationName = ({ name }: Projection, stamp: string): string => `${name}-${stamp}`

/** Takes the targets to the positions of their gates, all in one pass; answers from where they all can go on. */
const buildToGates = async (targets: readonly Target[], options: ReplayOptions, relay: Relay): Promise<Place> => {
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
  return earliest(targets.map(({ heldFrom }) => heldFrom ?? reached))
}

export const earliest = (places: readonly Place[]): Place =>
  places.includes('start') ? 'start' : (places.toSorted()[0] ?? 'start')

const compare = async ({ target, leaving, gate }: Built, force: boolean): Promise<Replayed> => {
  const { projection, readModel, name } = target
  const differences = (await gate?.differencesOf(projection.name, readModel)) ?? []
  return {
    projection: projection.name,
    generation: name,
    previous: leaving.name,
    compared: gate?.partitions ?? 0,
    differences,
    outcome: differences.length === 0 || force ? 'switched' : 'refused',
  }
}

/** Those that differ stay, to be looked at; what was kept so before goes. */
const keepRefused = async (refused: readonly Replayed[], claim: HeldClaim): Promise<void> => {
  if (refused.length === 0) return
  const { serving, droppable } = claim.generations()
  const kept = refused.map(({ projection, generation, previous }): [string, Serving] => [
    projection,
    { ...(serving[projection] ?? { generation: previous }), refused: generation },
  ])
  const keptBefore = refused.flatMap(({ projection }) => serving[projection]?.refused ?? [])
  await claim.change({
    serving: { ...serving, ...Object.fromEntries(kept) },
    droppable: [...droppable, ...keptBefore].filter((name) => refused.every(({ generation }) => generation !== name)),
  })
}

/**
 * Builds the read models of the projections anew from the log, beside those that serve, and lets them take over when they prove to
 * be the same. Whatever ends it, at whatever moment, leaves one generation serving.
 */
export const replay = (options: ReplayOptions): Promise<readonly Replayed[]> =>
  runWithClaim(options, async (claim, opened) => {
    const { projections, stamp, force, publishers, onProgress } = options
    const signal = AbortSignal.any([options.signal, claim.lost])
    const relay = createRelay(publishers)
    const names = projections.map((projection) => generationName(projection, stamp))
    await claim.change({ droppable: [...claim.generations().droppable, ...names] })

    onProgress?.({ step: 'looking at what serves' })
    const built: Built[] = []
    for (const projection of projections) {
      signal.throwIfAborted()
      built.push(await openBuilt(projection, claim, opened, options))
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
    const successions = built.filter((_, index) => results[index]?.outcome === 'switched')
    onProgress?.({ step: 'handing over' })
    if (successions.length > 0) await handOver({ ...options, relay, successions, claim, from, signal })
    await keepRefused(
      results.filter(({ outcome }) => outcome === 'refused'),
      claim,
    )
    return results
  })
