import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { holdLease, type Lease, type LeaseOptions } from './lease.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const shortMs = 300
/** Long enough that a slow holder does not lose the lease. */
const middleMs = 1_500
const longMs = 600_000

describe('a lease', { timeout: 30_000 }, () => {
  let readModel: ReadModel
  let events: string[]
  const leases: Lease[] = []

  beforeEach(() => {
    readModel = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
    events = []
  })
  afterEach(async () => {
    await Promise.all(leases.splice(0).map((lease) => lease.stop()))
    await readModel.close()
  })

  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })

  /** Records when it leads and when it has to end. */
  const hold = (who: string, options: Partial<LeaseOptions> = {}): Lease => {
    const lease = holdLease({
      readModel,
      name: 'test',
      lengthMs: longMs,
      logger,
      async onLead(signal) {
        events.push(`${who} leads`)
        await untilAborted(signal)
        events.push(`${who} ends`)
      },
      ...options,
    })
    leases.push(lease)
    return lease
  }
  const position = () => readModel.position('lease-test', 'leases')
  const turn = async () => Number((await position())?.split(':')[0] ?? 0)

  it('FD-1 is held by one of many competing processes', async () => {
    const all = ['a', 'b', 'c', 'd'].map((who) => hold(who, { lengthMs: middleMs }))
    await until(async () => expect(await turn()).toBeGreaterThan(4))
    expect(events).toHaveLength(1)
    expect(all.filter((lease) => lease.isLeading())).toHaveLength(1)
  })

  it('FD-2 goes to another process when its holder stops, after the work in progress', async () => {
    let finish = () => {}
    const inProgress = new Promise<void>((resolve) => (finish = resolve))
    const first = hold('a', {
      async onLead(signal) {
        events.push('a leads')
        await untilAborted(signal)
        await inProgress
        events.push('a ends')
      },
    })
    await until(() => expect(first.isLeading()).toBe(true))
    const second = hold('b')
    const stopping = first.stop()
    expect(first.isLeading()).toBe(false)
    finish()
    await stopping
    // The lease lasts ten minutes, so the takeover has not waited for it to expire.
    await until(() => expect(second.isLeading()).toBe(true))
    expect(events).toEqual(['a leads', 'a ends', 'b leads'])
  })

  it('FD-3 is lost by a holder that cannot renew it, whose work ends before another process starts', async () => {
    let isCutOff = false
    const hanging = new Promise<never>(() => {})
    const cutOff: LeaseOptions['readModel'] = {
      commit: (change) => (isCutOff ? hanging : readModel.commit(change)),
      position: (...args) => (isCutOff ? hanging : readModel.position(...args)),
      whenApplied: (...args) => (isCutOff ? hanging : readModel.whenApplied(...args)),
    }
    const holder = holdLease({
      readModel: cutOff,
      name: 'test',
      lengthMs: shortMs,
      logger,
      async onLead(signal) {
        events.push('a leads')
        await untilAborted(signal)
        events.push('a ends')
      },
    })
    await until(() => expect(holder.isLeading()).toBe(true))
    const other = hold('b', { lengthMs: shortMs })
    isCutOff = true
    await until(() => expect(other.isLeading()).toBe(true))
    expect(holder.isLeading()).toBe(false)
    expect(events).toEqual(['a leads', 'a ends', 'b leads'])
  })

  it('FD-4 survives a read model that fails temporarily or was emptied', async () => {
    let failures = 0
    const failing: LeaseOptions['readModel'] = {
      ...readModel,
      commit: (change) => (failures++ < 2 ? Promise.reject(new Error('down')) : readModel.commit(change)),
    }
    const lease = hold('a', { readModel: failing, lengthMs: shortMs })
    await until(() => expect(lease.isLeading()).toBe(true))

    const emptied = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
    failing.commit = emptied.commit
    failing.position = emptied.position
    failing.whenApplied = emptied.whenApplied
    await until(() => expect(events).toEqual(['a leads', 'a ends', 'a leads']))
    await lease.stop()
    await emptied.close()
  })

  it('FD-5 is kept after a renewal with an unknown outcome', async () => {
    let losesAnswers = false
    const lossy: LeaseOptions['readModel'] = {
      ...readModel,
      async commit(change) {
        const outcome = await readModel.commit(change)
        if (losesAnswers) throw new Error('no answer')
        return outcome
      },
    }
    const lease = hold('a', { readModel: lossy, lengthMs: middleMs })
    await until(() => expect(lease.isLeading()).toBe(true))
    const before = await turn()
    losesAnswers = true
    await until(async () => expect(await turn()).toBeGreaterThan(before))
    losesAnswers = false
    const after = await turn()
    await until(async () => expect(await turn()).toBeGreaterThan(after + 1))
    expect(events).toEqual(['a leads'])
  })

  it('FD-6 is taken again after the leader has ended or failed', async () => {
    let turns = 0
    hold('a', {
      lengthMs: shortMs,
      async onLead() {
        if (turns++ === 0) throw new Error('failed')
      },
    })
    await until(() => expect(turns).toBeGreaterThan(2))
  })
})
