import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Publisher } from '../bus/publisher.ts'
import { createRelay } from '../bus/relay.ts'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import { describeDiscontinuities, inMemoryContinuity } from '../discontinuity/continuity.ts'
import type { Position, RecordedEvent } from '../event-store/port.ts'
import { continuityPart, type HealthPart, makeHealth } from './health.ts'

const part = (name: string, isCritical: boolean, check: HealthPart['check'] = async () => {}): HealthPart => ({
  name,
  isCritical,
  check,
})
const fails = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:2113'))
const hangs = () => new Promise<void>(() => {})

const newerPublisher: Publisher = {
  category: 'user',
  topics: ['auth'],
  publish({ type }) {
    throw new UnknownEventTypeError(type)
  },
}
const recordedByNewer: Omit<RecordedEvent, 'type'> = {
  kind: 'event',
  position: '7' as Position, // as a store would make it
  stream: 'user-1',
  revision: 0,
  id: '0199a2b0-0000-7000-8000-000000000001',
  data: {},
  metadata: {},
  at: '2026-11-21T10:00:00.000Z',
}

let lines: string[] = []
const healthOf = (parts: readonly HealthPart[], timeoutMs = 2_000) => {
  lines = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  return makeHealth(parts, logger, { timeoutMs })
}

describe('health', () => {
  it('is ok while every part is up', async () => {
    const health = healthOf([part('eventStore', true), part('mail', false)])
    expect(await health.report()).toEqual({
      status: 'ok',
      parts: { eventStore: 'ok', mail: 'ok' },
      discontinuities: [],
      unreadableEvents: [],
      reasons: [],
    })
  })
  it('is down without a critical part, degraded without another, and logs the reason', async () => {
    expect(await healthOf([part('eventStore', true, fails), part('mail', false, fails)]).report()).toEqual({
      status: 'down',
      parts: { eventStore: 'down', mail: 'down' },
      discontinuities: [],
      unreadableEvents: [],
      reasons: [],
    })
    expect(lines.join('')).toContain('ECONNREFUSED')
    expect((await healthOf([part('eventStore', true), part('mail', false, fails)]).report()).status).toBe('degraded')
  })
  it('does not wait for a hanging part, nor check it twice', async () => {
    let asked = 0
    const health = healthOf(
      [
        part('bus', true, () => {
          asked += 1
          return hangs()
        }),
      ],
      5,
    )
    for (let i = 0; i < 3; i++) expect((await health.report()).parts).toEqual({ bus: 'down' })
    expect(asked).toBe(1)
    expect(lines).toHaveLength(1)
  })
  it('is down with an open discontinuity, names the command, and still takes requests', async () => {
    const continuity = inMemoryContinuity(pino({ level: 'silent' }))
    const logger = pino({ level: 'silent' })
    const parts = [part('eventStore', true), continuityPart(continuity)]
    const health = makeHealth(parts, logger, { discontinuities: () => describeDiscontinuities(continuity) })
    expect([(await health.report()).status, await health.isReady()]).toEqual(['ok', true])
    continuity.record({ consumer: 'projection:inbox', cause: 'read-model-lost', missing: 'it was emptied' })
    const report = await health.report()
    expect([report.status, report.parts, await health.isReady()]).toEqual([
      'down',
      { eventStore: 'ok', continuity: 'down' },
      true,
    ])
    expect(report.discontinuities).toEqual([expect.stringMatching(/^projection:inbox .* make replay P=inbox$/)])
  })
  it('names an event that only another release can read, and still takes requests', async () => {
    const [relayed, type] = [createRelay([newerPublisher]), 'UserPromoted']
    const check = async () => void relayed.translate({ ...recordedByNewer, type })
    const wrapped = () => check().catch((cause: unknown) => Promise.reject(new Error('halted', { cause })))
    const health = healthOf([part('bus', true, wrapped), part('feed', false, check)])
    expect(await health.isReady()).toBe(true)
    const { unreadableEvents, parts } = await health.report()
    expect(parts).toEqual({ bus: 'down', feed: 'down' })
    expect(unreadableEvents).toEqual([
      'Event type UserPromoted of category user at position 7 is unknown to this release. Run the newer release that recorded it',
    ])
  })
  it('is not ready without a critical part of its own', async () => {
    expect(await healthOf([part('eventStore', true, fails)]).isReady()).toBe(false)
    expect(await healthOf([part('mail', false, fails)]).isReady()).toBe(true)
  })
  it('logs when a part is up again', async () => {
    let works = false
    const health = healthOf([part('bus', true, () => (works ? Promise.resolve() : fails()))])
    await health.report()
    works = true
    expect((await health.report()).status).toBe('ok')
    expect(lines.at(-1)).toContain('health part up again')
  })
})
