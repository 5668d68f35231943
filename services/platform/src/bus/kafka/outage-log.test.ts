import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOutageLog } from './outage-log.ts'

const lines: { readonly msg: string; readonly seconds?: number }[] = []
const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const texts = { began: 'It broke', ended: 'It works' }

beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('does not log a short outage', () => {
  const log = createOutageLog(logger, { consumer: 'c' }, texts)
  log.began(new Error('starting'))
  vi.advanceTimersByTime(2_900)
  log.ended()
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([])
})

it('logs a lasting outage once, with its first error, and its end once', () => {
  const log = createOutageLog(logger, { consumer: 'c' }, texts)
  log.began(new Error('gone'))
  vi.advanceTimersByTime(5_000)
  log.began(new Error('still gone'))
  vi.advanceTimersByTime(5_000)
  log.ended()
  log.ended()
  expect(lines).toMatchObject([
    { msg: 'It broke', consumer: 'c', err: { message: 'gone' } },
    { msg: 'It works', consumer: 'c', seconds: 10 },
  ])
})
