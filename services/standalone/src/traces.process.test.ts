/** @module-tag verify */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sendNotification } from '@portal/contracts/notifications/http'
import { describe, expect, it } from 'vitest'
import { startPortalFixture } from '@portal/standalone/testing/portal-fixture'

/**
 * Imports the whole portal, opens its observability, and prints the number of loaded OpenTelemetry files. Excludes its API, which
 * prom-client loads.
 */
const program = `
  const { createRequire } = await import('node:module')
  await import('./services/standalone/src/portal.ts')
  const { openObservability } = await import('./services/platform/src/observability/observability.ts')
  const { loadConfig } = await import('./services/platform/src/settings/config.ts')
  const { traces } = loadConfig(process.env)
  const { tracing } = await openObservability({ service: 'portal', traces, logger: console })
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /@opentelemetry.(?!api.)/.test(file))
  console.log(JSON.stringify({ isOn: tracing.isOn, loaded: loaded.length }))
  await tracing.close()
`

const loadedWith = async (environment: Readonly<Record<string, string>>): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...environment },
  })
  return JSON.parse(stdout)
}

describe('OpenTelemetry', () => {
  it('is not loaded without an endpoint', async () => {
    expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual({ isOn: false, loaded: 0 })
  })
  it('is loaded with an endpoint', async () => {
    const answer = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    expect(answer).toMatchObject({ isOn: true })
    expect(answer).not.toMatchObject({ loaded: 0 })
  })
})

describe('traces that cannot be sent', () => {
  it('block neither requests nor the shutdown', async () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const fixture = await startPortalFixture({ learners: 1, environment })
    const [admin, learner] = [await fixture.admin(), await fixture.learner(1)]
    const body = {
      userIds: [learner.userId],
      title: 'The hall is closed',
      message: 'Come to room 12.',
      type: 'General',
    }
    expect(await fixture.call(sendNotification, { as: admin, body })).toMatchObject({ targeted: 1 })
    expect(await fixture.stop()).toBe('clean')
  }, 20_000)
})
