import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadConfig } from '@portal/platform/settings/config'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { redisUserNames } from './redis-users.ts'
import { kafkaLoginNames } from './kafka-users.ts'
import { completeSettings, kafkaPasswordSetting, redisPasswordSetting, writeEngineUsers } from './settings-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'))
  file = join(folder, '.env')
})

afterEach(() => rmSync(folder, { recursive: true }))

it('creates valid secrets that only the owner can read', () => {
  const added = completeSettings(file)
  expect(Object.keys(added)).toEqual([
    'MASTER_KEY',
    ...redisUserNames.map((user) => redisPasswordSetting(user)),
    ...kafkaLoginNames.map((user) => kafkaPasswordSetting(user)),
    'METRICS_TOKEN',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
  ])
  const settings = parseEnv(readFileSync(file, 'utf8'))
  expect(settings).toEqual(added)
  expect(loadConfig(settings)).toMatchObject({ firstAdmin: { password: added['ADMIN_PASSWORD'] } })
  expect(statSync(file).mode & 0o077).toBe(0)
})

it('never changes existing settings', () => {
  writeFileSync(file, `MASTER_KEY=${'ab'.repeat(32)}\nPORT=8080`)
  expect(Object.keys(completeSettings(file))).not.toContain('MASTER_KEY')
  const first = readFileSync(file, 'utf8')
  expect(parseEnv(first)).toMatchObject({ MASTER_KEY: 'ab'.repeat(32), PORT: '8080' })
  expect(completeSettings(file)).toEqual({})
  expect(readFileSync(file, 'utf8')).toBe(first)
})

it('makes a readable file private, also if nothing is missing', () => {
  writeFileSync(file, 'PORT=8080\n')
  for (let run = 0; run < 2; run += 1) {
    chmodSync(file, 0o644)
    completeSettings(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
})

it('writes the Redis users with password hashes into a private folder', () => {
  const settings = completeSettings(file)
  const secretFolder = join(folder, '.secrets')
  writeEngineUsers(secretFolder, settings)
  const users = readFileSync(join(secretFolder, 'redis-users.acl'), 'utf8')
  for (const user of redisUserNames) {
    expect(users).toContain(`user ${user} on #`)
    expect(users).not.toContain(settings[redisPasswordSetting(user)])
  }
  expect(users).toContain('user default off')
  expect(statSync(secretFolder).mode & 0o777).toBe(0o700)
  expect(() => writeEngineUsers(secretFolder, { ...settings, REDIS_AUTH_PASSWORD: '' })).toThrow('REDIS_AUTH_PASSWORD')
})

it('writes the users of Kafka with their passwords, and no text that could end a line', () => {
  const settings = completeSettings(file)
  const secretFolder = join(folder, '.secrets')
  writeEngineUsers(secretFolder, settings)
  const users = readFileSync(join(secretFolder, 'kafka-users.jaas'), 'utf8')
  for (const user of kafkaLoginNames) expect(users).toContain(`user_${user}="${settings[kafkaPasswordSetting(user)]}"`)
  expect(() => writeEngineUsers(secretFolder, { ...settings, KAFKA_AUTH_PASSWORD: '' })).toThrow('KAFKA_AUTH_PASSWORD')
  const forged = { ...settings, KAFKA_OPS_PASSWORD: '12345678"\n  user_eve="12345678' }
  expect(() => writeEngineUsers(secretFolder, forged)).toThrow('the password of ops must be letters, digits, _ and -')
})
