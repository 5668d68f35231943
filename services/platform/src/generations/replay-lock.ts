import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createKeyedMutex } from '../async/keyed-mutex.ts'
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

/** Another process considered this run dead. The run can no longer switch, and the active generations stay. */
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
  /** The projections that a dead previous run left fenced. */
  readonly leftFenced: readonly string[]
  generations(): Generations
  /** Changes the generations in one step. Rejects with ReplayLockLostError if the lock was lost. */
  change(change: Change): Promise<void>
  /** Aborts when the lock is lost. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** The generations, once no live run holds the lock. */
const waitUntilFree = async (control: ReadStore): Promise<Generations> => {
  const watch = watchReplayLock()
  const first = await loadGenerations(control)
  for (;;) {
    const found = await loadGenerations(control)
    if (found.claim === undefined || watch.hasExpired(found)) return found
    // The other run has renewed the lock, so it is alive.
    if (found.version !== first.version) throw new ReplayRunningError()
    await delay(pollEveryMs)
  }
}

/**
 * Lets one run at a time build and switch generations. The lock is part of the document that a switch changes, so removing an expired
 * lock also prevents a switch by its run.
 */
export const acquireReplayLock = async (control: ReadStore & ProjectionWriter): Promise<HeldReplayLock> => {
  const free = await waitUntilFree(control)
  const by = randomUUID()
  const mine: ReplayLock = { by, renewals: 0, sealing: [] }
  const taken = await changeGenerations(control, free, { claim: mine })
  if (taken === undefined) throw new ReplayRunningError()

  let known = taken
  const exclusively = createKeyedMutex()
  const lost = new AbortController()

  const lose = (): ReplayLockLostError => {
    const error = new ReplayLockLostError()
    lost.abort(error)
    return error
  }

  /** Whether a change took effect although its response was lost. */
  const wasApplied = async (before: Generations, renewals: number): Promise<boolean> => {
    const found = await loadGenerations(control)
    if (found.version === before.version) return false
    if (found.claim?.by !== by || found.claim.renewals !== renewals) throw lose()
    known = found
    return true
  }

  const changeOnce = async (change: Change): Promise<void> => {
    if (lost.signal.aborted || known.claim === undefined) throw lose()
    const before = known
    const renewals = known.claim.renewals + 1
    const claim: ReplayLock = { by, renewals, sealing: [...(change.fencing ?? known.claim.sealing)] }
    const serving = change.serving ?? known.serving
    const droppable = [...(change.droppable ?? known.droppable)]
    for (let attempt = 1; ; attempt++) {
      try {
        const changed = await changeGenerations(control, before, { serving, droppable, claim })
        if (changed === undefined) {
          // A conflict with this run's own change means that the response to the previous attempt was lost.
          if (attempt > 1 && (await wasApplied(before, renewals))) return
          throw lose()
        }
        known = changed
        return
      } catch (error) {
        if (error instanceof ReplayLockLostError || attempt >= maxAttempts) throw error
        await delay(renewEveryMs)
      }
    }
  }

  const timer = setInterval(() => {
    // The next change fails in the same way and reports it.
    exclusively('lock', () => changeOnce({})).catch(() => undefined)
  }, renewEveryMs)

  return {
    leftFenced: free.claim?.sealing ?? [],
    generations: () => known,
    change: (change) => exclusively('lock', () => changeOnce(change)),
    lost: lost.signal,
    async release() {
      clearInterval(timer)
      await exclusively('lock', async () => {
        if (lost.signal.aborted) return
        await changeGenerations(control, known, { claim: undefined })
      })
    },
  }
}
