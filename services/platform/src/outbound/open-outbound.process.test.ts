import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../settings/config.ts'
import { openOutbound } from './open-outbound.ts'

/** The modules of the push provider's library that a separate process has loaded. */
const loadedAfter = async (statements: string): Promise<number> => {
  const program = `
    import { Module } from 'node:module'
    import { fcmPush } from ${JSON.stringify(new URL('fcm/fcm-push.ts', import.meta.url).href)}
    import { openOutbound } from ${JSON.stringify(new URL('open-outbound.ts', import.meta.url).href)}
    ${statements}
    console.log(Object.keys(Module._cache).filter((file) => file.includes('/firebase-admin/')).length)
    process.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return Number(stdout)
}
const nobody = '{ projectId: "p", clientEmail: "c", privateKey: "none" }'

describe('the push provider', () => {
  it('fails at startup if its credentials are unusable', () => {
    const config = loadConfig({ FCM_SERVICE_ACCOUNT_FILE: '/there/is/no/such/file.json' })
    expect(() => openOutbound(config, { now: () => new Date(), logger: pino() })).toThrow(ConfigError)
  })
  it('is loaded with the first push, and never without configuration', async () => {
    const config = { dataDir: '/nowhere', outbound: { mailFrom: 'portal' } }
    expect(await loadedAfter(`openOutbound(${JSON.stringify(config)}, { now: () => new Date() })`)).toBe(0)
    const sender = `fcmPush({ serviceAccount: ${nobody}, now: () => new Date() })`
    expect(await loadedAfter(sender)).toBe(0)
    // The library rejects the key, but is loaded.
    expect(await loadedAfter(`await ${sender}.send(['t'], {}).catch(() => undefined)`)).toBeGreaterThan(0)
  })
})
