import { loadConfig } from '@portal/platform/settings/config'
import { expect, it } from 'vitest'
import { planProcesses } from './plan.ts'

it('gateways trust the balancer, and TRUST_PROXY before it', async () => {
  for (const [setting, trusted] of [
    ['false', 'loopback'],
    ['true', '2'],
    ['3', '4'],
    ['10.0.0.0/8', 'loopback,10.0.0.0/8'],
  ] as const) {
    const config = loadConfig({ TRUST_PROXY: setting })
    const plan = await planProcesses({ config, engines: {}, freePort: async () => 4_000 })
    expect([setting, ...plan.gateways.map(({ settings }) => settings['TRUST_PROXY'])]).toEqual([
      setting,
      trusted,
      trusted,
    ])
    expect(plan.services.map(({ settings }) => settings['TRUST_PROXY'])).toEqual(['loopback', 'loopback', 'loopback'])
  }
})
