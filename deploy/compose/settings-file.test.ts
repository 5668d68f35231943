import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadConfig } from '@portal/platform/runtime/config'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { completeSettings } from './settings-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'))
  file = join(folder, '.env')
})

afterEach(() => rmSync(folder, { recursive: true }))

it('makes secrets that the portal takes, for its owner alone', () => {
  const added = completeSettings(file)
  expect(Object.keys(added)).toEqual(['MASTER_KEY', 'REDIS_PASSWORD', 'METRICS_TOKEN', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'])
  const settings = parseEnv(readFileSync(file, 'utf8'))
  expect(settings).toEqual(added)
  expect(loadConfig(settings)).toMatchObject({ firstAdmin: { password: added['ADMIN_PASSWORD'] } })
  expect(statSync(file).mode & 0o077).toBe(0)
})

it('never changes what is set', () => {
  writeFileSync(file, `MASTER_KEY=${'ab'.repeat(32)}\nPORT=8080`)
  expect(Object.keys(completeSettings(file))).not.toContain('MASTER_KEY')
  const first = readFileSync(file, 'utf8')
  expect(parseEnv(first)).toMatchObject({ MASTER_KEY: 'ab'.repeat(32), PORT: '8080' })
  expect(completeSettings(file)).toEqual({})
  expect(readFileSync(file, 'utf8')).toBe(first)
})

it('closes a file that others can read, with or without something to add', () => {
  writeFileSync(file, 'PORT=8080\n')
  for (let run = 0; run < 2; run += 1) {
    chmodSync(file, 0o644)
    completeSettings(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
})
