import { pino } from 'pino'
import { expect, it } from 'vitest'
import { loadConfig } from '../runtime/config.ts'
import { createHttpApp } from './create-app.ts'

const callerBehind = async (setting: string, forwardedFor: string): Promise<string> => {
  const { trustProxy } = loadConfig({ TRUST_PROXY: setting }).http
  const app = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy })
  app.get('/caller', async ({ ip }) => ip)
  return (await app.inject({ url: '/caller', headers: { 'x-forwarded-for': forwardedFor } })).body
}

it.each([
  ['false', '127.0.0.1'],
  ['true', '203.0.113.9'],
  ['2', '198.51.100.7'],
  ['loopback', '203.0.113.9'],
  ['loopback,203.0.113.0/24', '198.51.100.7'],
])('takes for the caller what TRUST_PROXY=%s warrants, never what the caller claims to be', async (setting, caller) => {
  expect(await callerBehind(setting, '6.6.6.6, 198.51.100.7, 203.0.113.9')).toBe(caller)
})
