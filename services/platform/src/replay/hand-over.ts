import type { Logger } from 'pino'
import type { EventStore } from '../event-store/port.ts'
import { logCursors, type LogPlace, positionOf } from '../bus/log-cursor.ts'
import type { Relay } from '../bus/relay.ts'
import { projectionKey } from '../projection/projection-key.ts'
import { projectionGroup } from '../projection/run-projection.ts'
import { type Generations, needOf, type Serving } from '../read-model/generations.ts'
import { isLost } from '../read-model/lost.ts'
import type { ReadModel } from '../read-model/port.ts'
import { applyLog } from './apply-log.ts'
import type { Change, HeldClaim } from './claim.ts'
import { saveLogPlace } from './log-place.ts'
import type { Target } from './target.ts'

/** While something is sealed nothing is projected. What takes longer is given up and begun anew, closer to the end. */
const sealedForMs = 3_000
const tries = 5

/** A generation that goes; without a read model where it cannot be opened. */
export type Leaving = { readonly name: string; readonly readModel: ReadModel | undefined }

/** A generation that goes, and the one that takes its place. */
export type Succession = {
  readonly target: Target
  readonly leaving: Leaving
  /** The one that goes is not complete: it is kept to be looked at, and never served again. */
  readonly isRepair: boolean
  /** What readers go on being told, because the two were proved equal. */
  readonly epoch?: string | undefined
}

export type HandOverOptions = {
  readonly successions: readonly Succession[]
  readonly claim: HeldClaim
  readonly log: Pick<EventStore, 'subscribe' | 'end'>
  readonly relay: Relay
  /** The serving bus is the log's own tail: a place in the log is a cursor of it. */
  readonly busIsLog: boolean
  /** The log is not the one that the cursors of what leaves were made in. */
  readonly isLogAnother?: boolean
  /** As far as all targets have got. */
  readonly from: LogPlace
  readonly signal: AbortSignal
  readonly logger: Logger
  /** For tests: what may break in between. */
  onStep?(step: HandOverStep): Promise<void> | void
}
export type HandOverStep = 'announced' | 'sealed' | 'caught up' | 'cursors saved' | 'switched'

type Cursors = Readonly<Record<string, string>>

/** Damage is no obstacle: what takes over needs nothing of it. */
const unlessLost = async <T>(work: Promise<T> | undefined, otherwise: T): Promise<T> => {
  try {
    return (await work) ?? otherwise
  } catch (error) {
    if (!isLost(error)) throw error
    return otherwise
  }
}

/** None where they cannot be read, or say nothing any more: then the consumer is brought up by the log. */
const cursorsOf = async ({ target, leaving }: Succession, isLogAnother: boolean): Promise<Cursors> =>
  isLogAnother ? {} : unlessLost(leaving.readModel?.loadCursors(projectionGroup(target.projection)), {})

/**
 * Where runners may go on in the new generation. All that they had handled in the old one when its cursors were read was in
 * the log before the last look at its end, so it is in the new one.
 */
const saveCursors = async ({ target }: Succession, cursors: Cursors, reached: LogPlace, busIsLog: boolean) => {
  const { projection, readModel } = target
  const own: Cursors = busIsLog && reached !== 'start' ? logCursors(reached) : cursors
  for (const [busPartition, cursor] of Object.entries(own)) {
    await readModel.saveCursor(projectionGroup(projection), busPartition, cursor)
  }
  await saveLogPlace(readModel, positionOf(reached))
}

/** What serves goes on. Not when the claim was lost: then others see to it, or have sealed for themselves. */
const takeBack = async ({ successions, claim, logger }: HandOverOptions): Promise<void> => {
  if (claim.lost.aborted) return
  for (const { leaving } of successions) {
    await leaving.readModel?.unseal().catch((error: unknown) => {
      logger.warn({ err: error, generation: leaving.name }, 'Not unsealed; whoever serves it will see to it')
    })
  }
  await claim.change({ sealing: [] })
}

const afterSwitch = (successions: readonly Succession[], before: Generations): Required<Omit<Change, 'sealing'>> => {
  const switched = successions.map(({ target, leaving, isRepair, epoch }): [string, Serving] => [
    projectionKey(target.projection),
    {
      generation: target.name,
      ...(epoch && { epoch }),
      ...(isRepair ? { refused: leaving.name } : { previous: leaving.name }),
    },
  ])
  const serving = { ...before.serving, ...Object.fromEntries(switched) }
  const needed = needOf(serving)
  const replaced = needOf(
    Object.fromEntries(switched.flatMap(([name]) => (before.serving[name] ? [[name, before.serving[name]]] : []))),
  )
  const droppable = [...new Set([...before.droppable, ...replaced])].filter((name) => !needed.has(name))
  return { serving, droppable }
}

/** Between the seals and the switch. */
const whileSealed = async (
  options: HandOverOptions,
  from: LogPlace,
  cursors: readonly Cursors[],
  signal: AbortSignal,
): Promise<void> => {
  const { successions, log, relay, busIsLog, onStep } = options
  const targets = successions.map(({ target }) => target)
  for (const { leaving } of successions) await unlessLost(leaving.readModel?.seal(), undefined)
  await onStep?.('sealed')
  const reached = await applyLog({ log, relay, targets, after: from, until: await log.end(), signal })
  for (const target of targets) await target.flush()
  await onStep?.('caught up')
  for (const [index, succession] of successions.entries()) {
    await saveCursors(succession, cursors[index] ?? {}, reached, busIsLog)
  }
  await onStep?.('cursors saved')
  signal.throwIfAborted()
}

/**
 * Lets new generations take the place of those that serve. The order is what matters: who is to be sealed is written down
 * before anything is sealed; the seals are set before the last look at the log; the switch is one compare-and-set, which fails
 * when the claim has gone. Should this process end anywhere in between, what serves is unsealed and goes on.
 */
export const handOver = async (options: HandOverOptions): Promise<void> => {
  const { successions, claim, log, relay, signal, logger, onStep } = options
  const keys = successions.map(({ target }) => projectionKey(target.projection))
  const targets = successions.map(({ target }) => target)
  let from = options.from
  for (let attempt = 1; ; attempt++) {
    // The second time little is left, and then there is still less to do while sealed.
    for (let round = 0; round < 2; round++) {
      from = await applyLog({ log, relay, targets, after: from, until: await log.end(), signal })
      for (const target of targets) await target.flush()
    }
    const cursors = await Promise.all(successions.map((each) => cursorsOf(each, options.isLogAnother ?? false)))
    await claim.change({ sealing: keys })
    const tooLong = AbortSignal.timeout(sealedForMs)
    try {
      await onStep?.('announced')
      await whileSealed(options, from, cursors, AbortSignal.any([signal, tooLong]))
      break
    } catch (error) {
      await takeBack(options)
      signal.throwIfAborted()
      if (attempt >= tries || !tooLong.aborted) throw error
      logger.warn({ err: error, attempt }, 'The handover took too long and is begun anew')
    }
  }
  await claim.change({ ...afterSwitch(successions, claim.generations()), sealing: [] })
  await onStep?.('switched')
}
