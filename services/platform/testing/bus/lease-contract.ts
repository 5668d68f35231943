import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentLeader, holdLease, type Lease, type LeaseOptions, type LeaseStore } from '../../src/bus/lease.ts'
import type { ReadModel } from '../../src/read-model/port.ts'
import { createVirtualTimers } from '../async/virtual-timers.ts'
import { until } from '../until.ts'

const logger = pino({ level: 'silent' })
/** Each process has its own clock, so no lease expires unless a test moves a clock. */
const lengthMs = 600_000

/** The lease rules of SPEC.md. Each read model calls this with a function that opens a new namespace. */
export const leaseContract = (name: string, open: () => Promise<ReadModel>): void => {
  describe(`lease: ${name}`, () => {
    let readModel: ReadModel
    let events: string[]
    const closing: (() => Promise<unknown>)[] = []

    const openStore = async () => {
      const opened = await open()
      closing.push(opened.close)
      return opened
    }
    beforeEach(async () => {
      readModel = await openStore()
      events = []
    })
    afterEach(async () => {
      for (const close of closing.splice(0).toReversed()) await close()
    })

    const untilAborted = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })

    /** A process that competes for the lease. It records when it leads and when it has to end. */
    const compete = (who: string, options: Partial<LeaseOptions> = {}) => {
      const clock = createVirtualTimers()
      const lease: Lease = holdLease({
        readModel,
        name: 'test',
        lengthMs,
        logger,
        timers: clock.timers,
        async onLead(signal) {
          events.push(`${who} leads`)
          await untilAborted(signal)
          events.push(`${who} ends`)
        },
        ...options,
      })
      closing.push(lease.stop)
      return {
        who,
        clock,
        lease,
        untilLeading: () => until(() => expect(lease.isLeading()).toBe(true)),
        /** Resolves once it has seen the lease of another process, whose length it measures from then on. */
        untilWaiting: () => until(() => expect(clock.pendingMs()).toEqual([lengthMs])),
      }
    }
    type Process = ReturnType<typeof compete>

    const position = () => readModel.position('lease-test', 'leases')
    const turn = async () => Number((await position())?.split(':')[0] ?? 0)
    const holder = async () => (await position())?.split(':')[1]
    const renew = async ({ clock }: Process) => {
      const before = await turn()
      await clock.advance(lengthMs / 3)
      await until(async () => expect(await turn()).toBeGreaterThan(before))
    }

    it('FD-1 is held by one of many competing processes', async () => {
      const all = ['a', 'b', 'c', 'd'].map((who) => compete(who))
      await until(() => expect(events).toHaveLength(1))
      const [leader] = all.filter(({ lease }) => lease.isLeading())
      const others = all.filter(({ lease }) => !lease.isLeading())
      for (let n = 0; n < 6; n++) {
        await Promise.all(leader === undefined ? [] : [renew(leader)])
        for (const { clock } of others) await clock.advance(lengthMs / 3)
      }
      expect(await turn()).toBeGreaterThan(4)
      expect(events).toEqual([`${leader?.who} leads`])
      expect(all.filter(({ lease }) => lease.isLeading())).toHaveLength(1)
    })

    it('FD-2 goes to another process when its holder stops, after the work in progress', async () => {
      const inProgress = Promise.withResolvers<void>()
      const first = compete('a', {
        async onLead(signal) {
          events.push('a leads')
          await untilAborted(signal)
          await inProgress.promise
          events.push('a ends')
        },
      })
      await first.untilLeading()
      const second = compete('b')
      await second.untilWaiting()
      const stopping = first.lease.stop()
      expect(first.lease.isLeading()).toBe(false)
      inProgress.resolve()
      await stopping
      // No clock has moved, so the takeover has not waited for the lease to expire.
      await second.untilLeading()
      expect(events).toEqual(['a leads', 'a ends', 'b leads'])
    })

    it('FD-3 is lost by a holder that cannot renew it, whose work ends before another process starts', async () => {
      let isCutOff = false
      const restored = Promise.withResolvers<void>()
      const reach = async <T>(call: () => Promise<T>): Promise<T> => {
        if (isCutOff) await restored.promise
        return call()
      }
      const cutOff: LeaseStore = {
        commit: (change) => reach(() => readModel.commit(change)),
        position: (...args) => reach(() => readModel.position(...args)),
        whenApplied: (...args) => reach(() => readModel.whenApplied(...args)),
      }
      const first = compete('a', { readModel: cutOff })
      await first.untilLeading()
      const second = compete('b')
      await second.untilWaiting()
      isCutOff = true
      closing.push(async () => restored.resolve())
      for (let tenth = 0; tenth < 10; tenth++) {
        await first.clock.advance(lengthMs / 10)
        await second.clock.advance(lengthMs / 10)
      }
      await second.untilLeading()
      expect(first.lease.isLeading()).toBe(false)
      expect(events).toEqual(['a leads', 'a ends', 'b leads'])
    })

    it('FD-4 survives a read model that fails temporarily or was emptied', async () => {
      let failures = 0
      let store: LeaseStore = readModel
      const failing: LeaseStore = {
        commit: (change) => (failures++ < 2 ? Promise.reject(new Error('down')) : store.commit(change)),
        position: (...args) => store.position(...args),
        whenApplied: (...args) => store.whenApplied(...args),
      }
      const { clock, lease } = compete('a', { readModel: failing })
      await until(async () => {
        await clock.advance(lengthMs / 3)
        expect(lease.isLeading()).toBe(true)
      })
      const before = events.length
      store = await openStore()
      await until(async () => {
        await clock.advance(lengthMs / 3)
        expect(events.slice(before)).toEqual(['a ends', 'a leads'])
      })
      await lease.stop()
    })

    it('FD-5 is kept after a renewal with an unknown outcome', async () => {
      let losesAnswers = false
      const lossy: LeaseStore = {
        position: (...args) => readModel.position(...args),
        whenApplied: (...args) => readModel.whenApplied(...args),
        async commit(change) {
          const outcome = await readModel.commit(change)
          if (losesAnswers) throw new Error('no answer')
          return outcome
        },
      }
      const leader = compete('a', { readModel: lossy })
      await leader.untilLeading()
      losesAnswers = true
      await renew(leader)
      // The timer of the next renewal, beside the deadline.
      await until(() => expect(leader.clock.pendingCount()).toBe(2))
      losesAnswers = false
      // This renewal learns that the last one was applied.
      await leader.clock.advance(lengthMs / 3)
      await until(() => expect(leader.clock.pendingMs()).toContain(lengthMs / 3))
      await renew(leader)
      await renew(leader)
      expect(events).toEqual(['a leads'])
    })

    it('FD-6 is taken again after the leader has ended or failed', async () => {
      let turns = 0
      const { clock } = compete('a', {
        async onLead() {
          if (turns++ === 0) throw new Error('failed')
        },
      })
      await until(async () => {
        await clock.advance(lengthMs / 3)
        expect(turns).toBeGreaterThan(2)
      })
    })

    it('FD-7 is taken again at once by a holder that was stopped for longer than its lease, if no other process has', async () => {
      const leader = compete('a')
      await leader.untilLeading()
      const by = await holder()
      for (let times = 1; times <= 2; times++) {
        const before = await turn()
        await leader.clock.resumeAfter(10 * lengthMs)
        await until(() => expect(events).toHaveLength(1 + 2 * times))
        expect(await turn()).toBeGreaterThan(before)
        expect(leader.lease.isLeading()).toBe(true)
      }
      // Its work under the former lease has ended before.
      expect(events).toEqual(['a leads', 'a ends', 'a leads', 'a ends', 'a leads'])
      expect(await holder()).toBe(by)
      await renew(leader)
      expect(events).toHaveLength(5)
    })

    it('FD-7 is taken again by a holder that is late, before it expires for the others', async () => {
      const leader = compete('a')
      await leader.untilLeading()
      const other = compete('b')
      await other.untilWaiting()
      const lateMs = 0.9 * lengthMs
      await other.clock.advance(lateMs)
      await leader.clock.resumeAfter(lateMs)
      await until(() => expect(events).toEqual(['a leads', 'a ends', 'a leads']))
      await other.clock.advance(lateMs)
      expect(other.lease.isLeading()).toBe(false)
      expect(leader.lease.isLeading()).toBe(true)
    })

    it('FD-7 is taken again after an outage of the read model that was longer than the lease', async () => {
      let isDown = false
      const failing = async <T>(call: () => Promise<T>): Promise<T> => {
        if (isDown) throw new Error('down')
        return call()
      }
      const store: LeaseStore = {
        commit: (change) => failing(() => readModel.commit(change)),
        position: (...args) => failing(() => readModel.position(...args)),
        whenApplied: (...args) => failing(() => readModel.whenApplied(...args)),
      }
      const leader = compete('a', { readModel: store })
      await leader.untilLeading()
      isDown = true
      await leader.clock.advance(3 * lengthMs)
      expect(events).toEqual(['a leads', 'a ends'])
      isDown = false
      // It tries again every third, and does not wait until its own former lease has expired.
      await leader.clock.advance(lengthMs / 3)
      await until(() => expect(events).toEqual(['a leads', 'a ends', 'a leads']))
    })

    it('FD-8 is not taken again by a stopped holder if another process has taken it', async () => {
      const first = compete('a')
      await first.untilLeading()
      const second = compete('b')
      await second.untilWaiting()
      await second.clock.advance(lengthMs)
      await second.untilLeading()
      await first.clock.resumeAfter(10 * lengthMs)
      await until(() => expect(events).toEqual(['a leads', 'b leads', 'a ends']))
      expect(first.lease.isLeading()).toBe(false)
      await first.untilWaiting()
      for (let n = 0; n < 6; n++) {
        await renew(second)
        await first.clock.advance(lengthMs / 3)
      }
      expect(events).toEqual(['a leads', 'b leads', 'a ends'])
      await second.lease.stop()
      await first.untilLeading()
      expect(events).toEqual(['a leads', 'b leads', 'a ends', 'b ends', 'a leads'])
    })

    it('FD-8 ends the work of a stopped holder also if the other process has released it meanwhile', async () => {
      const first = compete('a')
      await first.untilLeading()
      const second = compete('b')
      await second.untilWaiting()
      await second.clock.advance(lengthMs)
      await second.untilLeading()
      await second.lease.stop()
      await first.clock.resumeAfter(10 * lengthMs)
      await until(() => expect(events).toEqual(['a leads', 'b leads', 'b ends', 'a ends', 'a leads']))
    })

    it('FD-9 has a leader for observers only while it renews', async () => {
      const leader = compete('a')
      await leader.untilLeading()
      const observed = currentLeader(readModel, 'test', lengthMs)
      await renew(leader)
      await renew(leader)
      expect(await observed).toBe(await holder())
      await leader.lease.stop()
      expect(await currentLeader(readModel, 'test', lengthMs)).toBeUndefined()
    })
  })
}
