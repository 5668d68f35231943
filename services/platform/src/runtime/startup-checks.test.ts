import { describe, expect, it } from 'vitest'
import { type Environment, loadConfig } from '../settings/config.ts'
import { requireSafeExposure, requireServiceUrl, requireSharedEngines, untrustedProxy } from './startup-checks.ts'

const start = (environment: Environment) => requireSafeExposure(loadConfig(environment))
const https = 'https://portal.example'

describe('the start', () => {
  it('accepts development settings and production settings', () => {
    for (const environment of [
      {},
      { DEV_OUTBOX: '1' },
      { DEV_OUTBOX: '1', PUBLIC_URL: 'http://localhost:3000', SMTP_URL: 'smtp://mail' },
      { NODE_ENV: 'production', PUBLIC_URL: https },
      { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' },
      { NODE_ENV: 'production' },
      { PUBLIC_URL: 'http://portal.example' },
    ]) {
      expect(() => start(environment)).not.toThrow()
    }
  })
  it('rejects development settings with a public https address, and none without TLS in production', () => {
    expect(() => start({ PUBLIC_URL: https })).toThrow('An https PUBLIC_URL needs NODE_ENV=production')
    expect(() => start({ NODE_ENV: 'production', PUBLIC_URL: 'http://portal.example' })).toThrow(
      'PUBLIC_URL must be https in production, unless it is an address of this machine',
    )
  })
  it('rejects a mailbox in production, with a public https address, and with providers', () => {
    const cases = [
      [{ NODE_ENV: 'production' }, 'NODE_ENV=production'],
      [{ PUBLIC_URL: https }, 'an https PUBLIC_URL'],
      [{ SMTP_URL: 'smtp://mail', SMS_URL: 'https://sms.example' }, 'SMTP_URL and SMS_URL'],
    ] as const
    for (const [environment, what] of cases)
      expect(() => start({ DEV_OUTBOX: '1', ...environment })).toThrow(
        `DEV_OUTBOX=1 shows everyone's codes and links, so it is not allowed with ${what}`,
      )
  })
})

it('an https address without a trusted proxy is named, because all users then share its limits', () => {
  const named = (environment: Environment) =>
    untrustedProxy(loadConfig({ NODE_ENV: 'production', ...environment }).http)
  expect(named({ PUBLIC_URL: https })).toMatch(/^TRUST_PROXY is not set, but PUBLIC_URL is https: /)
  expect(named({ PUBLIC_URL: https, TRUST_PROXY: 'loopback' })).toBeUndefined()
  expect(named({ PUBLIC_URL: 'http://localhost:3000' })).toBeUndefined()
  expect(named({})).toBeUndefined()
})

describe('/docs', () => {
  it('is served except in production, unless DOCS is set', () => {
    expect(loadConfig({}).docs).toBe(true)
    expect(loadConfig({ NODE_ENV: 'production' }).docs).toBe(false)
    expect(loadConfig({ NODE_ENV: 'production', DOCS: 'on' }).docs).toBe(true)
    expect(loadConfig({ DOCS: 'off' }).docs).toBe(false)
  })
})

const shared = {
  EVENT_STORE_URL: 'esdb://one:2113',
  BUS_URL: 'kafka://one:9092',
  READ_MODEL_URL: 'rediss://:secret@one:6379',
}
const all = ['eventStore', 'bus', 'readModel'] as const

it('accepts engines that several processes can share', () => {
  expect(() => requireSharedEngines(loadConfig(shared), all)).not.toThrow()
})

it('rejects other engines in one line, without their addresses', () => {
  expect(() => requireSharedEngines(loadConfig({}), all)).toThrow(
    'Separate processes need engines that they can share: set EVENT_STORE_URL=esdb://… and BUS_URL=kafka://… and ' +
      'READ_MODEL_URL=redis://…, or use make run, which needs none',
  )
  const files = loadConfig({ ...shared, READ_MODEL_URL: 'sqlite:/srv/secret' })
  expect(() => requireSharedEngines(files, all)).toThrow('set READ_MODEL_URL=redis://…, or')
  expect(() => requireSharedEngines(loadConfig({ ...shared, EVENT_STORE_URL: '' }), ['bus', 'readModel'])).not.toThrow()
})

it('requires the address of a service', () => {
  expect(requireServiceUrl(loadConfig({ AUTH_URL: 'http://auth:3000' }), 'auth')).toBe('http://auth:3000')
  expect(() => requireServiceUrl(loadConfig({}), 'catalog')).toThrow('CATALOG_URL must be set to where catalog answers')
})
