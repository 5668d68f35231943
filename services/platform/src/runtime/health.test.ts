import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type HealthPart, makeHealth } from './health.ts'

const part = (name: string, isCritical: boolean, check: HealthPart['check'] = async () => {}): HealthPart => ({
  name,
  isCritical,
  check,
})
const fails = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:2113'))
const hangs = () => new Promise<void>(() => {})

let lines: string[] = []
const healthOf = (parts: readonly HealthPart[], deadlineMs = 2_000) => {
  lines = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  return makeHealth(parts, logger, deadlineMs)
}

describe('health', () => {
  it('is ok while every part serves', async () => {
    const health = healthOf([part('eventStore', true), part('mail', false)])
    expect(await health.report()).toEqual({ status: 'ok', parts: { eventStore: 'ok', mail: 'ok' } })
  })
  it('is down without a critical part and degraded without another, and keeps the reason to the log', async () => {
    expect(await healthOf([part('eventStore', true, fails), part('mail', false, fails)]).report()).toEqual({
      status: 'down',
      parts: { eventStore: 'down', mail: 'down' },
    })
    expect(lines.join('')).toContain('ECONNREFUSED')
    expect((await healthOf([part('eventStore', true), part('mail', false, fails)]).report()).status).toBe('degraded')
  })
  it('does not wait for a part that hangs, nor ask it again meanwhile', async () => {
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
  it('tells when a part serves again', async () => {
    let works = false
    const health = healthOf([part('bus', true, () => (works ? Promise.resolve() : fails()))])
    await health.report()
    works = true
    expect((await health.report()).status).toBe('ok')
    expect(lines.at(-1)).toContain('a part serves again')
  })
})
