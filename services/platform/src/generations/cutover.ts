import type { Logger } from 'pino'
import type { EventStore } from '../event-store/port.ts'
import type { LogPosition } from '../bus/log-cursor.ts'
import type { Relay } from '../bus/relay.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import { projectionGroup } from './run-projection.ts'
import { type Generations, needOf, type Serving } from './generations.ts'
import { isDataLoss } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { Change, HeldReplayLock } from './replay-lock.ts'
import { applyLog, type RebuildTarget, saveReached } from './rebuild-target.ts'

/** Nothing is projected into a fenced generation. A cutover that takes longer starts again, closer to the end of the log. */
const fencedAtMostMs = 3_000
const tries = 5

/** The generation that a cutover replaces; without a read model if it cannot be opened. */
export type ReplacedGeneration = { readonly name: string; readonly readModel: ReadModel | undefined }

/** A generation and the one that replaces it. */
export type Replacement = {
  readonly target: RebuildTarget
  readonly replaced: ReplacedGeneration
  /** The replaced generation is incomplete: it is kept for inspection and never active again. */
  readonly isRepair: boolean
  /** The epoch that readers keep, because both generations were proved equal. */
  readonly epoch?: string | undefined
}

type CutoverOptions = {
  readonly replacements: readonly Replacement[]
  readonly lock: HeldReplayLock
  readonly log: Pick<EventStore, 'subscribe' | 'end'>
  readonly relay: Relay
  /** The serving bus is the log's own tail: a place in the log is a cursor of it. */
  readonly busIsLog: boolean
  /** The log is not the one that the cursors of the replaced generation refer to. */
  readonly isLogAnother?: boolean
  /** As far as all targets have got. */
  readonly from: LogPosition
  readonly signal: AbortSignal
  readonly logger: Logger
  /** For tests: what may break in between. */
  onStep?(step: CutoverStep): Promise<void> | void
}
export type CutoverStep = 'announced' | 'fenced' | 'caught up' | 'cursors saved' | 'switched'

type Cursors = Readonly<Record<string, string>>

/** A damaged generation is no obstacle: the one that replaces it needs nothing from it. */
const unlessLost = async <T>(work: Promise<T> | undefined, otherwise: T): Promise<T> => {
  try {
    return (await work) ?? otherwise
  } catch (error) {
    if (!isDataLoss(error)) throw error
    return otherwise
  }
}

/** Empty if they are unreadable or refer to another log: the consumer then starts from the log. */
const cursorsOf = async ({ target, replaced }: Replacement, isLogAnother: boolean): Promise<Cursors> =>
  isLogAnother ? {} : unlessLost(replaced.readModel?.loadCursors(projectionGroup(target.projection)), {})

/** Lets the active generations go on. After a lost lock other processes do that, or the next run has set fences of its own. */
const undo = async ({ replacements, lock, logger }: CutoverOptions): Promise<void> => {
  if (lock.lost.aborted) return
  for (const { replaced } of replacements) {
    await replaced.readModel?.unfence().catch((error: unknown) => {
      logger.warn({ err: error, generation: replaced.name }, 'Not unsealed; whoever serves it will see to it')
    })
  }
  await lock.change({ fencing: [] })
}

const afterSwitch = (replacements: readonly Replacement[], before: Generations): Required<Omit<Change, 'fencing'>> => {
  const switched = replacements.map(({ target, replaced, isRepair, epoch }): [string, Serving] => [
    projectionKey(target.projection),
    {
      generation: target.name,
      ...(epoch && { epoch }),
      ...(isRepair ? { refused: replaced.name } : { previous: replaced.name }),
    },
  ])
  const serving = { ...before.serving, ...Object.fromEntries(switched) }
  const needed = needOf(serving)
  const noLongerServing = needOf(
    Object.fromEntries(switched.flatMap(([name]) => (before.serving[name] ? [[name, before.serving[name]]] : []))),
  )
  const droppable = [...new Set([...before.droppable, ...noLongerServing])].filter((name) => !needed.has(name))
  return { serving, droppable }
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
  for (const { replaced } of replacements) await unlessLost(replaced.readModel?.fence(), undefined)
  await onStep?.('fenced')
  const reached = await applyLog({ log, relay, targets, after: from, until: await log.end(), signal })
  for (const target of targets) await target.flush()
  await onStep?.('caught up')
  // Every message that runners had handled when the old cursors were read was in the log before the last look at its end.
  for (const [index, target] of targets.entries()) await saveReached(target, reached, { busIsLog }, cursors[index])
  await onStep?.('cursors saved')
  signal.throwIfAborted()
}

/**
 * Makes new generations active. The order matters: the document names the generations to fence before any is fenced, the fences are
 * set before the last look at the log, and the switch is one compare-and-set, which fails when the lock is lost. If this process ends in
 * between, the serving processes lift the fences and the previous generations stay active.
 */
export const cutOver = async (options: CutoverOptions): Promise<void> => {
  const { replacements, lock, log, relay, signal, logger, onStep } = options
  const keys = replacements.map(({ target }) => projectionKey(target.projection))
  const targets = replacements.map(({ target }) => target)
  let from = options.from
  for (let attempt = 1; ; attempt++) {
    // The second round leaves little to do behind the fence.
    for (let round = 0; round < 2; round++) {
      from = await applyLog({ log, relay, targets, after: from, until: await log.end(), signal })
      for (const target of targets) await target.flush()
    }
    const cursors = await Promise.all(replacements.map((each) => cursorsOf(each, options.isLogAnother ?? false)))
    await lock.change({ fencing: keys })
    const tooLong = AbortSignal.timeout(fencedAtMostMs)
    try {
      await onStep?.('announced')
      await whileFenced(options, from, cursors, AbortSignal.any([signal, tooLong]))
      break
    } catch (error) {
      await undo(options)
      signal.throwIfAborted()
      if (attempt >= tries || !tooLong.aborted) throw error
      logger.warn({ err: error, attempt }, 'The handover took too long and is begun anew')
    }
  }
  await lock.change({ ...afterSwitch(replacements, lock.generations()), fencing: [] })
  await onStep?.('switched')
}
