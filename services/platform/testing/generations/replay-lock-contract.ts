import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadGenerations } from '../../src/generations/generations.ts'
import { acquireReplayLock, ReplayLockLostError, ReplayRunningError } from '../../src/generations/replay-lock.ts'
import { createStaleFenceRecovery } from '../../src/generations/stale-fence-recovery.ts'
import type { ReadModel } from '../../src/read-model/port.ts'
import { createVirtualTimers } from '../async/virtual-timers.ts'
import { until } from '../until.ts'

const logger = pino({ level: 'silent' })
/** The time between two polls of a serving process, and more of them than it needs to consider a lock expired. */
const pollMs = 250
const polls = 30
const longMs = 60_000

type Clock = ReturnType<typeof createVirtualTimers>

/** The rules of the replay lock in SPEC.md. Each read model calls this, because the lock is a document in one. */
export const replayLockContract = (name: string, open: () => Promise<ReadModel>): void => {
  describe(`replay lock: ${name}`, () => {
    let control: ReadModel
    const releasing: (() => Promise<void>)[] = []

    beforeEach(async () => void (control = await open()))
    afterEach(async () => {
      for (const release of releasing.splice(0)) await release()
      await control.close()
    })

    const stored = () => loadGenerations(control)

    /** A run in a process with its own clock. Its renewals stop while that clock does not move. */
    const acquire = async (store: Parameters<typeof acquireReplayLock>[0] = control) => {
      const clock = createVirtualTimers()
      const lock = await acquireReplayLock(store, clock.timers)
      releasing.push(lock.release)
      return { lock, clock }
    }
    /** Removes expired locks, as a serving process does if a run does not renew its lock. */
    const removeExpired = async () => {
      const clock = createVirtualTimers()
      const activeOf = () => undefined
      const recovery = createStaleFenceRecovery({ control, activeOf, logger, timers: clock.timers })
      for (let poll = 0; poll < polls; poll++) {
        await recovery.recover(await stored(), new Set())
        await clock.advance(pollMs)
      }
      expect((await stored()).claim).toBeUndefined()
    }
    /** Lets these clocks go on until the work has ended. */
    const whileTimePasses = async <T>(clocks: readonly Clock[], work: Promise<T>): Promise<T> => {
      let isPending = true
      const settled = work.finally(() => (isPending = false))
      settled.catch(() => undefined)
      await until(async () => {
        for (const clock of clocks) await clock.advance(pollMs)
        expect(isPending).toBe(false)
      })
      return settled
    }
    /** A store that commits but does not answer while `isLossy`. */
    const lossyControl = () => {
      const state = { isLossy: false, commits: 0 }
      const store: Parameters<typeof acquireReplayLock>[0] = {
        get: (ref) => control.get(ref),
        async commit(commit) {
          const outcome = await control.commit(commit)
          state.commits++
          if (state.isLossy) throw new Error('no answer')
          return outcome
        },
      }
      return { store, state }
    }

    it('RP-6 is held by one run while it renews it, however long', async () => {
      const { clock } = await acquire()
      const before = await stored()
      await clock.advance(longMs)
      await until(async () => expect((await stored()).claim?.renewals).toBeGreaterThan(before.claim?.renewals ?? 0))
      const waiting = createVirtualTimers()
      const other = acquireReplayLock(control, waiting.timers)
      await expect(whileTimePasses([clock, waiting], other)).rejects.toThrow(ReplayRunningError)
    })

    it('RP-14 is taken again by the next change of its run if it expired and no other run took it', async () => {
      const { lock } = await acquire()
      const by = (await stored()).claim?.by
      await removeExpired()
      await lock.change({ droppable: ['tally-next'] })
      expect(lock.lost.aborted).toBe(false)
      expect(await stored()).toMatchObject({ droppable: ['tally-next'], claim: { by } })
      await lock.change({ droppable: [] })
      expect(await stored()).toMatchObject({ droppable: [], claim: { by } })
    })

    it('RP-14 is taken again by a renewal, as often as it expires', async () => {
      const { lock, clock } = await acquire()
      const by = (await stored()).claim?.by
      for (let time = 0; time < 2; time++) {
        await removeExpired()
        await clock.advance(1_000)
        await until(async () => expect((await stored()).claim?.by).toBe(by))
      }
      expect(lock.lost.aborted).toBe(false)
    })

    it('RP-14 keeps other runs out after it was taken again', async () => {
      const { clock } = await acquire()
      await removeExpired()
      await clock.advance(1_000)
      await until(async () => expect((await stored()).claim).toBeDefined())
      const other = createVirtualTimers()
      const taking = acquireReplayLock(control, other.timers)
      await expect(whileTimePasses([clock, other], taking)).rejects.toThrow(ReplayRunningError)
    })

    it.each([
      ['at the switch', 0],
      ['by a renewal before the switch', 1_000],
    ])(
      'RP-14 and RP-13 that expired while fenced and is taken again %s does not switch',
      async (_when, renewsAfterMs) => {
        const { lock, clock } = await acquire()
        await lock.change({ fencing: ['tally'] })
        await removeExpired()
        await clock.advance(renewsAfterMs)
        await until(async () => expect((await stored()).claim !== undefined).toBe(renewsAfterMs > 0))
        const serving = { tally: { generation: 'tally-next' } }
        expect(await lock.changeIfFencing(['tally'], { serving, fencing: [] })).toBe(false)
        expect(lock.lost.aborted).toBe(false)
        expect((await stored()).serving).toEqual({})
        await lock.change({ fencing: ['tally'] })
        expect(await lock.changeIfFencing(['tally'], { serving, fencing: [] })).toBe(true)
        expect(await stored()).toMatchObject({ serving, claim: { sealing: [] } })
      },
    )

    it('RP-5 is lost once another run has taken it', async () => {
      const { lock } = await acquire()
      await removeExpired()
      const other = await acquire()
      await expect(lock.change({ droppable: ['tally-next'] })).rejects.toThrow(ReplayLockLostError)
      expect(lock.lost.aborted).toBe(true)
      expect(other.lock.lost.aborted).toBe(false)
      await other.lock.change({})
      expect((await stored()).droppable).toEqual([])
    })

    it('RP-5 is lost to a run that has waited for it to expire', async () => {
      const { lock, clock } = await acquire()
      const other = createVirtualTimers()
      const taken = await whileTimePasses([other], acquireReplayLock(control, other.timers))
      releasing.push(taken.release)
      await clock.advance(1_000)
      await until(() => expect(lock.lost.aborted).toBe(true))
      expect(taken.lost.aborted).toBe(false)
    })

    it('RP-5 is lost if another run has taken it and ended in between', async () => {
      const { lock, clock } = await acquire()
      await removeExpired()
      const { lock: other } = await acquire()
      await other.change({ serving: { tally: { generation: 'tally-other' } } })
      await other.release()
      const before = await stored()
      expect(before.claim).toBeUndefined()
      await clock.advance(1_000)
      await until(() => expect(lock.lost.aborted).toBe(true))
      await expect(lock.change({})).rejects.toThrow(ReplayLockLostError)
      expect(await stored()).toEqual(before)
    })

    it('RP-5 is lost if another run has taken it and died in between', async () => {
      const { lock } = await acquire()
      await removeExpired()
      await acquire()
      await removeExpired()
      await expect(lock.change({})).rejects.toThrow(ReplayLockLostError)
    })

    it('RP-14 is not lost by a change with an unknown outcome before it expired', async () => {
      const { store, state } = lossyControl()
      const { lock, clock } = await acquire(store)
      state.isLossy = true
      const { commits } = state
      const changing = lock.change({ droppable: ['tally-next'] })
      await until(() => expect(state.commits).toBeGreaterThan(commits))
      await removeExpired()
      state.isLossy = false
      await whileTimePasses([clock], changing)
      expect(await stored()).toMatchObject({ droppable: ['tally-next'] })
      await lock.change({ droppable: [] })
      expect(await stored()).toMatchObject({ droppable: [], claim: { sealing: [] } })
    })

    it('RP-14 is not lost by changes that were never answered', async () => {
      const { store, state } = lossyControl()
      const { lock, clock } = await acquire(store)
      state.isLossy = true
      const changing = lock.change({ droppable: ['tally-next'] })
      await expect(whileTimePasses([clock], changing)).rejects.toThrow('no answer')
      state.isLossy = false
      await whileTimePasses([clock], lock.change({ fencing: ['tally'] }))
      expect(lock.lost.aborted).toBe(false)
      expect(await stored()).toMatchObject({ claim: { sealing: ['tally'] } })
    })
  })
}
