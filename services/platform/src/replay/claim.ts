import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { changeGenerations, type Claim, type Generations, loadGenerations } from '../read-model/generations.ts'
import { watchClaim } from '../read-model/lift-seals.ts'
import type { ReadModel } from '../read-model/port.ts'

const renewEveryMs = 500
const lookEveryMs = 250
const attempts = 5

/** Another run has the claim and is alive. */
export class ReplayRunningError extends Error {
  override readonly name = 'ReplayRunningError'
  readonly isForPeople = true
  constructor() {
    super('Another replay is running; wait for it, or end it and try again after some seconds')
  }
}

/** Others took this run for dead. Nothing may be switched any more; what serves goes on serving. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError'
  readonly isForPeople = true
  constructor() {
    super('This run was taken for dead and has been given up; nothing was switched by it since')
  }
}

export type Change = {
  readonly serving?: Generations['serving']
  readonly sealing?: readonly string[]
  readonly droppable?: readonly string[]
}

export type HeldClaim = {
  /** What the one before had sealed, if it died. */
  readonly leftSealed: readonly string[]
  generations(): Generations
  /** In one step, and only while the claim is held; else rejects with ClaimLostError. */
  change(change: Change): Promise<void>
  /** Aborts when the claim is lost. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** The generations, once nobody alive has a claim on them. */
const untilFree = async (control: ReadModel): Promise<Generations> => {
  const watch = watchClaim()
  const first = await loadGenerations(control)
  for (;;) {
    const found = await loadGenerations(control)
    if (found.claim === undefined || watch.hasLapsed(found)) return found
    // Renewed while we look: somebody is there. Renewals are more frequent than looks are few.
    if (found.version !== first.version) throw new ReplayRunningError()
    await delay(lookEveryMs)
  }
}

/**
 * One run at a time builds and switches generations. Its claim is part of the document it switches by, so whoever takes the
 * claim away, because it has not been renewed, makes the switch impossible in the same step.
 */
export const holdClaim = async (control: ReadModel): Promise<HeldClaim> => {
  const free = await untilFree(control)
  const by = randomUUID()
  const mine: Claim = { by, renewals: 0, sealing: [] }
  const taken = await changeGenerations(control, free, { claim: mine })
  if (taken === undefined) throw new ReplayRunningError()

  let known = taken
  let queue: Promise<unknown> = Promise.resolve()
  const lost = new AbortController()

  const lose = (): ClaimLostError => {
    const error = new ClaimLostError()
    lost.abort(error)
    return error
  }

  /** Whether a change whose answer got lost has been made all the same. */
  const hasBeenMade = async (before: Generations, renewals: number): Promise<boolean> => {
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
    const claim: Claim = { by, renewals, sealing: [...(change.sealing ?? known.claim.sealing)] }
    const serving = change.serving ?? known.serving
    const droppable = [...(change.droppable ?? known.droppable)]
    for (let attempt = 1; ; attempt++) {
      try {
        const changed = await changeGenerations(control, before, { serving, droppable, claim })
        if (changed === undefined) {
          // Ours, if the answer of the attempt before got lost.
          if (attempt > 1 && (await hasBeenMade(before, renewals))) return
          throw lose()
        }
        known = changed
        return
      } catch (error) {
        if (error instanceof ClaimLostError || attempt >= attempts) throw error
        await delay(renewEveryMs)
      }
    }
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }

  const timer = setInterval(() => {
    // What is wrong is met by whatever is to be changed next.
    inTurn(() => changeOnce({})).catch(() => undefined)
  }, renewEveryMs)

  return {
    leftSealed: free.claim?.sealing ?? [],
    generations: () => known,
    change: (change) => inTurn(() => changeOnce(change)),
    lost: lost.signal,
    async release() {
      clearInterval(timer)
      await inTurn(async () => {
        if (lost.signal.aborted) return
        await changeGenerations(control, known, { claim: undefined })
      })
    },
  }
}
