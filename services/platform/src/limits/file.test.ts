import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitersContract } from '@portal/platform/testing/limits/contract'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'
import { until } from '@portal/platform/testing/until'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFileLimiters } from './file.ts'

const hourMs = 3_600_000
const limit = { max: 4, windowMs: hourMs }

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

let folder: string
let file: string
/** The wall clock and the clock of the process, which begins anew with each start. */
let nowMs: number
let startedAtMs: number
let logged: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'limits-'))
  file = join(folder, 'read-models', 'limits.json')
  nowMs = Date.parse('2026-11-23T01:00:00.000Z')
  logged = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const timers = createVirtualTimers()
const start = () => {
  startedAtMs = nowMs
  return openFileLimiters({
    file,
    hashOf,
    elapsedMs: () => nowMs - startedAtMs,
    now: () => new Date(nowMs),
    timers: timers.timers,
    logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
  })
}

limitersContract('memory, kept in a file', async () => {
  const limiters = await start()
  return {
    limiters,
    others: limiters,
    pass: async (seconds) => void (nowMs += seconds * 1_000),
    dispose: () => limiters.close(),
  }
})

test('a limit that is reached, or half of it, outlives a restart with the time that is left', async () => {
  const first = await start()
  for (let n = 0; n < 4; n += 1) await first.of('logIns', limit).attempt('reached')
  for (let n = 0; n < 2; n += 1) await first.of('logIns', limit).attempt('half')
  await first.of('codes', { max: 1, windowMs: 60_000 }).attempt('short')
  nowMs += 10_000
  await first.close()

  nowMs += 600_000
  const second = await start()
  expect(await second.of('logIns', limit).waitSeconds('reached')).toBe(3_600 - 610)
  expect(await second.of('codes', { max: 1, windowMs: 60_000 }).waitSeconds('short')).toBeUndefined()
  for (let n = 0; n < 2; n += 1) expect(await second.of('logIns', limit).attempt('half')).toBeUndefined()
  expect(await second.of('logIns', limit).attempt('half')).toBeDefined()

  // Nothing asked for the limit in this start.
  await (await start()).close()
  expect(await (await start()).of('logIns', limit).waitSeconds('reached')).toBe(3_600 - 610)
  // Behind a clock that was set back, the time at the save counts.
  nowMs -= 24 * hourMs
  expect(await (await start()).of('logIns', limit).waitSeconds('reached')).toBe(3_600 - 10)
})

test('a killed process forgets at most what it counted since the last save, which no attempt waits for', async () => {
  const killed = await start()
  await timers.advance(0)
  for (let n = 0; n < 4; n += 1) await killed.of('logIns', limit).attempt('reached')
  expect(existsSync(file)).toBe(false)
  await timers.advance(30_000)
  await until(() => expect(existsSync(file)).toBe(true))
  expect(await (await start()).of('logIns', limit).waitSeconds('reached')).toBe(3_600)
})

test('the file has no keys in plain text, is for its owner only, and has a bound', async () => {
  const limiters = await start()
  const limiter = limiters.of('logIns', { max: 2, windowMs: hourMs })
  for (let n = 1; n <= 1_500; n += 1) await limiter.attempt(`person-${n}`)
  await limiters.close()
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('person')
  expect(text.match(/"key"/g)).toHaveLength(1_000)
  expect(text).toContain(hashOf('person-1500'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('an unreadable file is replaced, and a folder that cannot be written fails nothing', async () => {
  mkdirSync(join(folder, 'read-models'))
  writeFileSync(file, '{"savedAt":')
  const limiters = await start()
  expect(logged.join('')).toContain('kept limits are not readable, counting from zero')
  expect(await limiters.of('logIns', limit).attempt('ann')).toBeUndefined()
  rmSync(join(folder, 'read-models'), { recursive: true })
  writeFileSync(join(folder, 'read-models'), '')
  await limiters.close()
  expect(logged.join('')).toContain('limits could not be saved')
})

test('a limit whose exemptions are forgotten at a restart is forgotten, too', async () => {
  const first = await start()
  await first.of('perAccount', { max: 1, windowMs: hourMs, isForgottenAtRestart: true }).attempt('known address')
  await first.close()
  const second = await start()
  expect(await second.of('perAccount', { max: 1, windowMs: hourMs }).waitSeconds('known address')).toBeUndefined()
  await second.close()
})

test('a save makes no folder where that of the file has vanished', async () => {
  const limiters = await start()
  await limiters.of('logIns', limit).attempt('reached')
  rmSync(folder, { recursive: true })
  await limiters.close()
  expect(existsSync(folder)).toBe(false)
  expect(logged.join('')).toContain('limits could not be saved')
})
