import { loadConfig } from '@portal/platform/settings/config'
import { expect, it } from 'vitest'
import { planProcesses } from './plan.ts'

it.each([
  ['false', 'loopback'],
  ['true', '2'],
  ['3', '4'],
  ['10.0.0.0/8', 'loopback,10.0.0.0/8'],
])('gateways trust TRUST_PROXY=%s and the balancer', async (setting, trusted) => {
  const config = loadConfig({ TRUST_PROXY: setting })
  const plan = await planProcesses({ config, engines: {}, freePort: async () => 4_000 })
  expect(plan.gateways.map(({ settings }) => settings['TRUST_PROXY'])).toEqual([trusted, trusted])
  expect(plan.services.map(({ settings }) => settings['TRUST_PROXY'])).toEqual(['loopback', 'loopback', 'loopback'])
})
