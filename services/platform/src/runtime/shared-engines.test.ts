import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../settings/config.ts'
import { pidFileIn, writePidFile } from './run-folder.ts'
import { requireServiceUrl, requireSharedEngines } from './shared-engines.ts'

const shared = {
  EVENT_STORE_URL: 'esdb://one:2113',
  BUS_URL: 'kafka://one:9092',
  READ_MODEL_URL: 'rediss://:secret@one:6379',
}
const all = ['eventStore', 'bus', 'readModel'] as const

it('takes engines that several processes can share', () => {
  expect(() => requireSharedEngines(loadConfig(shared), all)).not.toThrow()
})

it('refuses others in one line, each that is missing, without repeating an address', () => {
  expect(() => requireSharedEngines(loadConfig({}), all)).toThrow(
    'Separate processes need engines that they can share: set EVENT_STORE_URL=esdb://… and BUS_URL=kafka://… and ' +
      'READ_MODEL_URL=redis://…, or use make run, which needs none',
  )
  const files = loadConfig({ ...shared, READ_MODEL_URL: 'sqlite:/srv/secret' })
  expect(() => requireSharedEngines(files, all)).toThrow('set READ_MODEL_URL=redis://…, or')
  expect(() => requireSharedEngines(loadConfig({ ...shared, EVENT_STORE_URL: '' }), ['bus', 'readModel'])).not.toThrow()
})

it('asks for the address of a service that is needed', () => {
  expect(requireServiceUrl(loadConfig({ AUTH_URL: 'http://auth:3000' }), 'auth')).toBe('http://auth:3000')
  expect(() => requireServiceUrl(loadConfig({}), 'catalog')).toThrow('CATALOG_URL must be set to where catalog answers')
})

it('says under which id it runs and where it serves, until it ends, and leaves alone what another process says', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pid-'))
  const file = pidFileIn(dataDir, 'gateway-1')
  const { serves, remove } = writePidFile(dataDir, 'gateway-1')
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\n`)
  serves('http://localhost:4000')
  expect(readFileSync(file, 'utf8')).toBe(`${process.pid}\nhttp://localhost:4000\n`)
  writeFileSync(file, '1\n')
  remove()
  expect(readFileSync(file, 'utf8')).toBe('1\n')
  writePidFile(dataDir, 'gateway-1').remove()
  expect(() => readFileSync(file)).toThrow('ENOENT')
  rmSync(dataDir, { recursive: true })
})
