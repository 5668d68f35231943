import { randomUUID } from 'node:crypto'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
import { sleep, systemTimers, type Timers } from '../async/timers.ts'
import { changeGenerations, type ReplayLock, type Generations, loadGenerations } from './generations.ts'
import { watchReplayLock } from './stale-fence-recovery.ts'
import type { ProjectionWriter, ReadStore } from '../read-model/port.ts'

const renewEveryMs = 500
const pollEveryMs = 250
const maxAttempts = 5

/** Another run holds the lock and is alive. */
export class ReplayRunningError extends Error {
  override readonly name = 'ReplayRunningError'
  readonly isUserFacing = true
  constructor() {
    super('Another replay is running; wait for it, or stop it and try again after a few seconds')
  }
}

/** Another run took the lock when this one had not renewed it for long. This run has switched nothing, and cannot switch any more. */
export class ReplayLockLostError extends Error {
  override readonly name = 'ReplayLockLostError'
  readonly isUserFacing = true
  constructor() {
    super(
      'This run lost the replay lock because it did not renew it in time. The active generations have not changed. Run it again',
    )
  }
}

export type Change = {
  readonly serving?: Generations['serving']
  readonly fencing?: readonly string[]
  readonly droppable?: readonly string[]
}

export type HeldReplayLock = {
  generations(): Generations
  /**
   * Changes the generations in one step. If the lock has expired and no other run has taken it, takes it again in the same step.
   * Rejects with ReplayLockLostError if another run has taken it.
   */
  change(change: Change): Promise<void>
  /** Like `change`, but returns false without the change if the lock has expired since these fences were announced. */
  changeIfFencing(projections: readonly string[], change: Change): Promise<boolean>
  /** Aborts when another run has taken the lock. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

type ControlStore = Pick<ReadStore, 'get'> & Pick<ProjectionWriter, 'commit'>

/** The generations, once no live run holds the lock. */
const waitUntilFree = async (control: ControlStore, timers: Timers): Promise<Generations> => {
  const watch = watchReplayLock(timers)
  const first = await loadGenerations(control)
  for (;;) {
    const found = await loadGenerations(control)
    if (found.claim === undefined || watch.hasExpired(found)) return found
    // The other run has renewed the lock, so it is alive.
    if (found.version !== first.version) throw new ReplayRunningError()
    await sleep(pollEveryMs, { timers })
  }
}

/** The lock if this run holds it, or if nothing has changed since it expired. */
const lockOf = ({ claim, expired }: Generations, run: string): ReplayLock | undefined => {
  const last = claim ?? expired
  return last?.by === run ? last : undefined
}

const isFencing = ({ claim }: Generations, projections: readonly string[]): boolean =>
  claim !== undefined && projections.every((projection) => claim.sealing.includes(projection))

/**
 * Lets one run at a time build and switch generations. The lock is part of the document that a switch changes, so removing an expired
 * lock also prevents a switch by its run, unless the run first takes the lock again.
 */
export const acquireReplayLock = async (
  control: ControlStore,
  timers: Timers = systemTimers,
): Promise<HeldReplayLock> => {
  const free = await waitUntilFree(control, timers)
  const by = randomUUID()
  const mine: ReplayLock = { by, renewals: 0, sealing: [] }
  const taken = await changeGenerations(control, free, { claim: mine })
  if (taken === undefined) throw new ReplayRunningError()

  let known = taken
  /** Never used twice, so the number in the document says which change of this run was applied last. */
  let renewals = 0
  const exclusively = createKeyedMutex()
  const lost = new AbortController()
  const released = new AbortController()

  const lose = (): ReplayLockLostError => {
    const error = new ReplayLockLostError()
    lost.abort(error)
    return error
  }

  /** Loads what has changed since `known`. Throws if it was not this run, or the removal of its expired lock. */
  const reload = async (): Promise<ReplayLock> => {
    const found = await loadGenerations(control)
    const lock = lockOf(found, by)
    if (lock === undefined || found.version === known.version) throw lose()
    known = found
    return lock
  }

  /** Writes until one attempt is known to have been applied. The response to an earlier one may have been lost. */
  const write = async (change: Change, number: number, ifFencing: readonly string[] | undefined): Promise<boolean> => {
    if (ifFencing !== undefined && !isFencing(known, ifFencing)) return false
    const { serving = known.serving, droppable = known.droppable, fencing = known.claim?.sealing ?? [] } = change
    const claim: ReplayLock = { by, renewals: number, sealing: [...fencing] }
    const changed = await changeGenerations(control, known, { serving, droppable: [...droppable], claim })
    if (changed !== undefined) {
      known = changed
      return true
    }
    return (await reload()).renewals === number || write(change, number, ifFencing)
  }

  const changeNow = async (change: Change, ifFencing?: readonly string[]): Promise<boolean> => {
    renewals++
    const number = renewals
    for (let attempt = 1; ; attempt++) {
      if (lost.signal.aborted) throw lose()
      try {
        return await write(change, number, ifFencing)
      } catch (error) {
        if (error instanceof ReplayLockLostError || attempt >= maxAttempts) throw error
        await sleep(renewEveryMs, { timers })
      }
    }
  }

  const keepRenewing = async (): Promise<void> => {
    for (;;) {
      await sleep(renewEveryMs, { signal: released.signal, timers })
      if (released.signal.aborted || lost.signal.aborted) return
      // The next change fails in the same way and reports it.
      await exclusively('lock', () => changeNow({})).catch(() => undefined)
    }
  }
  void keepRenewing()

  return {
    generations: () => known,
    change: (change) => exclusively('lock', async () => void (await changeNow(change))),
    changeIfFencing: (projections, change) => exclusively('lock', () => changeNow(change, projections)),
    lost: lost.signal,
    async release() {
      released.abort()
      await exclusively('lock', async () => {
        if (lost.signal.aborted) return
        await changeGenerations(control, known, { claim: undefined })
      })
    },
  }
}
