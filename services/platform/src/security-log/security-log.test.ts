import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createMetrics } from '../observability/metrics/metrics.ts'
import { createVirtualTimers } from '../../testing/async/virtual-timers.ts'
import { openSecurityLog, recordOperatorEvent, securityLogFile } from './open-security-log.ts'
import { rotatingFile } from './rotating-file.ts'
import { createSecurityLog, securityLine } from './security-log.ts'

const logger = pino({ level: 'silent' })
const now = () => new Date('2026-11-23T01:00:00.000Z')
const parse = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => z.record(z.string(), z.string()).parse(JSON.parse(line)))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'security-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a line', () => {
  it('cannot be broken, reordered or forged by a caller', () => {
    const userAgent = 'x"}\n{"log":"security","event":"log-in","result":"ok"}\r\u2028\u202e\u0085'
    const line = securityLine(now(), { event: 'log-in', result: 'refused', userAgent })
    expect(line.trimEnd()).not.toMatch(/[\n\r\u0085\u2028\u202e]/)
    expect(line.endsWith('\n')).toBe(true)
    expect(JSON.parse(line)).toEqual({
      time: '2026-11-23T01:00:00.000Z',
      log: 'security',
      event: 'log-in',
      result: 'refused',
      userAgent,
    })
  })

  it('truncates each value, and omits undefined ones', () => {
    const line = securityLine(now(), {
      event: 'log-in',
      result: 'ok',
      userAgent: 'a'.repeat(10_000),
      target: undefined,
    })
    const [parsed] = parse(line)
    expect(parsed?.['userAgent']).toHaveLength(200)
    expect(parsed).not.toHaveProperty('target')
  })
})

describe('the file outside production', () => {
  const file = () => securityLogFile(folder, 'portal')
  const open = (metrics = createMetrics()) =>
    openSecurityLog({ config: { environment: 'test', dataDir: folder }, process: 'portal', now, logger, metrics })

  it('keeps lines across restarts, readable by its owner only, even if the file was public', async () => {
    writeFileSync(file(), '')
    chmodSync(file(), 0o644)
    for (const event of ['log-in', 'log-out'] as const) {
      const log = open()
      log.record({ event, result: 'ok' })
      await log.close()
    }
    expect(parse(readFileSync(file(), 'utf8')).map(({ event }) => event)).toEqual(['log-in', 'log-out'])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('has a maximum size', async () => {
    const destination = rotatingFile({ path: file(), logger, fileBytes: 1_000, rotatedFiles: 2 })
    for (let line = 0; line < 200; line += 1) destination.write(`${'x'.repeat(99)}\n`)
    await destination.close()
    const files = readdirSync(folder)
    expect(files.length).toBeLessThanOrEqual(3)
    for (const name of files) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_100)
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    }
  })

  it('counts each event by name and result', async () => {
    const metrics = createMetrics()
    const log = open(metrics)
    log.record({ event: 'log-in', result: 'refused' })
    log.record({ event: 'log-in', result: 'refused' })
    await log.close()
    expect(await metrics.registry.metrics()).toContain(
      'portal_security_events_total{event="log-in",result="refused"} 2',
    )
  })
})

describe('a flood', () => {
  const address = (index: number) => `192.0.${Math.floor(index / 256)}.${index % 256}`
  const refusal = { event: 'request-refused', result: 'refused', code: 'unauthenticated' } as const
  const openWithTimers = () => {
    const timers = createVirtualTimers()
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line), close: async () => {} }
    const log = createSecurityLog({ destination, now, timers: timers.timers })
    return { log, timers, events: () => parse(lines.join('')) }
  }

  it('writes one line a second and address, with a count', async () => {
    const { log, timers, events } = openWithTimers()
    for (let second = 0; second < 5; second += 1) {
      for (let request = 0; request < 1_000; request += 1) {
        log.record({ ...refusal, address: '192.0.2.1', requestId: `${second}-${request}` })
        log.record({ ...refusal, address: `2001:db8:1:2::${request}` })
      }
      await timers.advance(1_000)
    }
    await log.close()
    const ofOne = events().filter((event) => event['address'] === '192.0.2.1')
    expect(ofOne.map(({ count, requestId }) => [count, requestId])).toEqual([
      [undefined, '0-0'],
      ['999', '0-999'],
      ['1000', '1-999'],
      ['1000', '2-999'],
      ['1000', '3-999'],
      ['1000', '4-999'],
    ])
    expect(events()).toHaveLength(12)
    expect(timers.pendingCount()).toBe(0)
  })

  it('takes bounded memory and lines, from however many addresses', async () => {
    const { log, timers, events } = openWithTimers()
    for (let index = 0; index < 20_000; index += 1) log.record({ ...refusal, address: address(index) })
    expect(timers.pendingCount()).toBeLessThanOrEqual(1_001)
    await timers.advance(2_000)
    expect(timers.pendingCount()).toBe(0)
    const all = events()
    expect(all.length).toBeLessThanOrEqual(1_002)
    expect(all.reduce((sum, { count }) => sum + Number(count ?? 1), 0)).toBe(20_000)
    expect(all.at(-1)).toEqual({ time: expect.any(String), log: 'security', ...refusal, count: '18999' })
  })

  it('keeps each mailbox whose password was guessed, until a limit answers', async () => {
    const { log, events } = openWithTimers()
    const logIn = { event: 'log-in', result: 'refused', address: '192.0.2.1' } as const
    for (const mailbox of ['a', 'b', 'c']) log.record({ ...logIn, code: 'unauthenticated', mailbox })
    for (const mailbox of ['d', 'e', 'f']) log.record({ ...logIn, code: 'too-many-requests', mailbox })
    await log.close()
    expect(events().map(({ mailbox, count }) => [mailbox, count])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', undefined],
      ['d', undefined],
      ['f', '2'],
    ])
  })

  it('keeps each route that an account was refused', async () => {
    const { log, events } = openWithTimers()
    const probe = { event: 'request-refused', result: 'refused', code: 'forbidden', address: '192.0.2.1' } as const
    const userId = userIdSchema.parse(randomUUID())
    for (const route of ['/admin/users', '/notifications/send', '/admin/users', '/admin/people'])
      log.record({ ...probe, userId, route })
    await log.close()
    expect(events().map(({ route }) => route)).toEqual([
      '/admin/users',
      '/notifications/send',
      '/admin/people',
      '/admin/users',
    ])
  })

  it('of pages of people is one line a minute for each session and list', async () => {
    const { log, timers, events } = openWithTimers()
    const listed = { event: 'users-listed', result: 'ok', route: '/notifications/:id/recipients' } as const
    const [first, second] = [sessionIdSchema.parse(randomUUID()), sessionIdSchema.parse(randomUUID())]
    for (let page = 0; page < 59; page += 1) {
      log.record({ ...listed, sessionId: first, target: 'a' })
      log.record({ ...listed, sessionId: first, target: 'b' })
      log.record({ ...listed, sessionId: second, target: 'a' })
      await timers.advance(1_000)
    }
    expect(events()).toHaveLength(3)
    await timers.advance(1_000)
    await log.close()
    expect(events().map(({ sessionId, target, count }) => [sessionId, target, count])).toEqual([
      [first, 'a', undefined],
      [first, 'b', undefined],
      [second, 'a', undefined],
      [first, 'a', '58'],
      [first, 'b', '58'],
      [second, 'a', '58'],
    ])
  })

  it('pushes out no role change, login or command', async () => {
    const log = openSecurityLog({ config: { environment: 'test', dataDir: folder }, process: 'portal', now, logger })
    log.record({ event: 'role-changed', result: 'ok' })
    log.record({ event: 'log-in', result: 'ok' })
    recordOperatorEvent({ environment: 'test', dataDir: folder }, { event: 'operation-run', result: 'ok' })
    log.record({ ...refusal, address: address(1) })
    log.record({ event: 'password-reset-requested', result: 'ok', address: address(1) })
    await log.close()
    const eventsIn = (name: string) => parse(readFileSync(join(folder, name), 'utf8')).map(({ event }) => event)
    expect(eventsIn('security.log').toSorted()).toEqual(['log-in', 'operation-run', 'role-changed'])
    expect(eventsIn('security.attempts.log')).toEqual(['request-refused', 'password-reset-requested'])
  })
})
