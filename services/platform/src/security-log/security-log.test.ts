import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createMetrics } from '../observability/metrics/metrics.ts'
import { openSecurityLog, securityLogFile } from './open-security-log.ts'
import { rotatingFile } from './rotating-file.ts'
import { securityLine } from './security-log.ts'

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

  it('counts each line by event and result', async () => {
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
