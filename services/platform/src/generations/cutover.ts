import type { Logger } from 'pino'
import type { EventStore } from '../event-store/port.ts'
import type { LogPosition } from '../bus/log-cursor.ts'
import type { Relay } from '../bus/relay.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import { projectionGroup } from './run-projection.ts'
import { type Generations, neededNamespaces, type Serving } from './generations.ts'
import { isDataLoss } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { Change, HeldReplayLock } from './replay-lock.ts'
import { applyLog, type RebuildTarget, saveReached } from './rebuild-target.ts'

/** No projection advances while its generation is fenced. A cutover that takes longer starts again, closer to the end of the log. */
const maxFencedMs = 3_000
const maxAttempts = 5

/** The generation that a cutover replaces. It has no read model if it cannot be opened. */
export type ReplacedGeneration = { readonly name: string; readonly readModel: ReadModel | undefined }

/** A generation that was built and the one that it replaces. */
export type Replacement = {
  readonly target: RebuildTarget
  /** Undefined if no generation of this version was active. */
  readonly replaced: ReplacedGeneration | undefined
  /** The replaced generation is incomplete: it is kept for inspection and never active again. */
  readonly isRepair: boolean
  /** The epoch that readers keep, because both generations are equal. */
  readonly epoch?: string | undefined
}

type CutoverOptions = {
  readonly replacements: readonly Replacement[]
  readonly lock: HeldReplayLock
  readonly log: Pick<EventStore, 'subscribe' | 'end'>
  readonly relay: Relay
  /** The bus reads the log itself, so log positions are its cursors. */
  readonly busIsLog: boolean
  /** The cursors of the replaced generation refer to another log. */
  readonly isDifferentLog?: boolean
  /** The position up to which all targets have been built. */
  readonly from: LogPosition
  readonly signal: AbortSignal
  readonly logger: Logger
  /** For tests that interrupt a cutover. */
  onStep?(step: CutoverStep): Promise<void> | void
}
export type CutoverStep = 'announced' | 'fenced' | 'caught up' | 'cursors saved' | 'switched'

type Cursors = Readonly<Record<string, string>>

/** Ignores data loss in the replaced generation, because the new one needs nothing from it. */
const ignoreDataLoss = async <T>(work: Promise<T> | undefined, fallback: T): Promise<T> => {
  try {
    return (await work) ?? fallback
  } catch (error) {
    if (!isDataLoss(error)) throw error
    return fallback
  }
}

/** Empty if they are unreadable or refer to another log. The consumer then starts at the beginning of the log. */
const cursorsOf = async ({ target, replaced }: Replacement, isDifferentLog: boolean): Promise<Cursors> =>
  isDifferentLog ? {} : ignoreDataLoss(replaced?.readModel?.loadCursors(projectionGroup(target.projection)), {})

/**
 * Unfences the active generations. Does nothing after a lost lock: serving processes remove the fences, and a newer replay may
 * have set its own. So it verifies first that this run still holds the lock.
 */
const undo = async ({ replacements, lock, logger }: CutoverOptions): Promise<void> => {
  if (lock.lost.aborted) return
  await lock.change({ fencing: [] })
  for (const { replaced } of replacements) {
    await replaced?.readModel?.unfence().catch((error: unknown) => {
      logger.warn(
        { err: error, generation: replaced?.name },
        'generation not unfenced, a serving process will unfence it',
      )
    })
  }
}

const afterSwitch = (replacements: readonly Replacement[], before: Generations): Omit<Change, 'fencing'> => {
  const switched = replacements.map(({ target, replaced, isRepair, epoch }): [string, Serving] => [
    projectionKey(target.projection),
    { generation: target.name, epoch, ...(isRepair ? { refused: replaced?.name } : { previous: replaced?.name }) },
  ])
  return {
    serving: { ...before.serving, ...Object.fromEntries(switched) },
    // A run drops only those of them that are not needed afterwards.
    droppable: [...new Set([...before.droppable, ...neededNamespaces(before.serving)])],
  }
}

/** Between the fence and the switch. */
const whileFenced = async (
  options: CutoverOptions,
  from: LogPosition,
  cursors: readonly Cursors[],
  signal: AbortSignal,
): Promise<void> => {
  const { replacements, log, relay, busIsLog, onStep } = options
  const targets = replacements.map(({ target }) => target)
  for (const { replaced } of replacements) await ignoreDataLoss(replaced?.readModel?.fence(), undefined)
  await onStep?.('fenced')
  const reached = await applyLog({ log, relay, targets, after: from, until: await log.end(), signal })
  for (const target of targets) await target.flush()
  await onStep?.('caught up')
  // The log end was read after the cursors, so it includes every message that these cursors cover.
  for (const [index, target] of targets.entries()) await saveReached(target, reached, { busIsLog }, cursors[index])
  await onStep?.('cursors saved')
  signal.throwIfAborted()
}

/**
 * Makes new generations active, in this order:
 *
 * 1. The generations document names the generations to fence.
 * 2. The active generations are fenced.
 * 3. The new ones read the rest of the log.
 * 4. One compare-and-set switches. It fails if the lock was lost.
 *
 * If the lock expired meanwhile, serving processes may have removed the fences. Then the cutover starts again.
 *
 * If this process dies in between, the serving processes remove the fences and the previous generations stay active.
 */
export const cutOver = async (options: CutoverOptions): Promise<void> => {
  const { replacements, lock, log, relay, signal, logger, onStep } = options
  const keys = replacements.flatMap(({ target, replaced }) => (replaced ? projectionKey(target.projection) : []))
  const targets = replacements.map(({ target }) => target)
  let from = options.from
  for (let attempt = 1; ; attempt++) {
    // The first round reads the bulk, the second what has come meanwhile. Little is left to read while fenced.
    for (let round = 0; round < 2; round++) {
      from = await applyLog({ log, relay, targets, after: from, until: await log.end(), signal })
      for (const target of targets) await target.flush()
    }
    const cursors = await Promise.all(replacements.map((each) => cursorsOf(each, options.isDifferentLog ?? false)))
    await lock.change({ fencing: keys })
    const tooLong = keys.length > 0 ? AbortSignal.timeout(maxFencedMs) : new AbortController().signal
    try {
      await onStep?.('announced')
      await whileFenced(options, from, cursors, AbortSignal.any([signal, tooLong]))
    } catch (error) {
      await undo(options)
      signal.throwIfAborted()
      if (attempt >= maxAttempts || !tooLong.aborted) throw error
      logger.warn({ err: error, attempt }, 'cutover took too long, retrying')
      continue
    }
    if (await lock.changeIfFencing(keys, { ...afterSwitch(replacements, lock.generations()), fencing: [] })) break
    await undo(options)
    logger.warn({ attempt }, 'replay lock expired during the cutover, retrying')
  }
  await onStep?.('switched')
}
