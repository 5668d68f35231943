import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { watchUnhandledRejections } from './unhandled-rejections.ts'

it('an unhandled rejection is logged and counted, and turns the health red for five minutes', async () => {
  const source = new EventEmitter()
  const lines: string[] = []
  let nowMs = 1_000
  let count = 0
  const part = watchUnhandledRejections({
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    elapsedMs: () => nowMs,
    onRejection: () => void count++,
    source,
  })
  await part.check()

  const reason = new Error('Failed to discover after 10 attempts.')
  source.emit('unhandledRejection', reason)
  expect(count).toBe(1)
  expect(lines.join('')).toContain('Failed to discover')
  await expect(part.check()).rejects.toThrow('Failed to discover after 10 attempts.')

  nowMs += 299_999
  await expect(part.check()).rejects.toThrow('not handled')
  source.emit('unhandledRejection', 'no error at all')
  nowMs += 1
  await expect(part.check()).rejects.toThrow('no error at all')
  nowMs += 300_000
  await part.check()
})
