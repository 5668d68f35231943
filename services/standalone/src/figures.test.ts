import { sendNotification } from '@portal/contracts/notifications/http'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { inboxProjectionRef } from '@portal/notifications/read-model'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, type PortalFixture, startPortalFixture } from '@portal/standalone/testing/portal-fixture'
import { until } from '@portal/platform/testing/until'

const inboxKey = projectionKey(inboxProjectionRef)

let fixture: PortalFixture
let admin: Person
let learner: Person
beforeAll(async () => {
  // The grace period is too long to end before the tab has reported.
  fixture = await startPortalFixture({ learners: 2, environment: { SEEN_GRACE_MS: '600000' } })
  admin = await fixture.admin()
  learner = await fixture.learner(1)
})
afterAll(() => fixture.stop())

const fetchFigures = async (headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const response = await fetch(`${fixture.portal.address}/metrics`, { headers })
  expect(response.status).toBe(200)
  return response.text()
}

/** The value of a series, with labels in any order; 0 if it does not exist. */
const figureIn = (text: string, name: string, labels: Readonly<Record<string, string>> = {}): number => {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const line = text
    .split('\n')
    .find(
      (one) =>
        (one.startsWith(`${name}{`) && wanted.every((label) => one.includes(label))) || one.startsWith(`${name} `),
    )
  return Number(line?.split(' ').at(-1) ?? 0)
}
const figure = async (name: string, labels?: Readonly<Record<string, string>>): Promise<number> =>
  figureIn(await fetchFigures(), name, labels)

const send = async (userIds: readonly string[]): Promise<void> => {
  const body = { userIds, title: 'The hall is closed', message: 'Please come to room 12.', type: 'General' }
  await fixture.call(sendNotification, { as: admin, body })
}

describe('the metrics of a portal', () => {
  it('change with a send, from the request to the open tab', async () => {
    const tab = await fixture.openTab(learner)
    tab.client.on('inbox:changed', ({ seq }) => void tab.client.emit('inbox:seen', { seq }))
    const before = await fetchFigures()
    await send([learner.userId])

    const grownBy = (name: string, labels?: Readonly<Record<string, string>>) => async (): Promise<number> =>
      (await figure(name, labels)) - figureIn(before, name, labels)
    const inbox = { projection: inboxProjectionRef.name, outcome: 'applied' }
    const route = { method: 'POST', route: sendNotification.path, status: '2xx' }
    for (const [expected, growth] of [
      [1, grownBy('portal_http_request_duration_seconds_count', route)],
      [1, grownBy('portal_delivery_outcomes_total', { outcome: 'live' })],
    ] as const)
      await until(async () => expect(await growth()).toBe(expected))
    for (const growth of [
      grownBy('portal_event_store_events_appended_total'),
      grownBy('portal_event_store_append_duration_seconds_count', { outcome: 'appended' }),
      grownBy('portal_read_model_commits_total', { read_model: inboxKey, outcome: 'committed' }),
      grownBy('portal_read_model_commit_batch_size_count', { read_model: inboxKey }),
      grownBy('portal_read_model_call_duration_seconds_count', { read_model: inboxKey, call: 'get' }),
      grownBy('portal_projection_messages_total', inbox),
      grownBy('portal_bus_messages_total', { consumer: `projection:${inboxKey}` }),
      grownBy('portal_bus_messages_total', { consumer: `projection:${projectionKey(pendingDeliveriesProjection)}` }),
      grownBy('portal_bus_messages_total', { consumer: 'gateway' }),
      grownBy('portal_bus_message_age_seconds_count', { consumer: `projection:${inboxKey}` }),
    ])
      await until(async () => expect(await growth()).toBeGreaterThan(0))
    expect(await figure('portal_sockets_connected')).toBe(1)
    expect(await figure('portal_sockets_users')).toBe(1)
    expect(await figure('portal_projection_parked', { projection: inboxProjectionRef.name })).toBe(0)
    expect(await figure('portal_health_part_up', { part: 'event-store' })).toBe(1)
    // A gauge that cannot be refreshed adds to it at every scrape, a slow machine only now and then.
    await until(async () => {
      const staleBefore = await figure('portal_metrics_stale_total')
      expect(await figure('portal_metrics_stale_total')).toBe(staleBefore)
    })
  })

  it('count rejections separately, and malformed client messages', async () => {
    const route = { method: 'POST', route: sendNotification.path, status: '4xx' }
    const before = await figure('portal_http_request_duration_seconds_count', route)
    await expect(fixture.call(sendNotification, { body: {} })).rejects.toThrow('401')
    // Counted when the response has left, which the client may notice first.
    await until(async () => expect(await figure('portal_http_request_duration_seconds_count', route)).toBe(before + 1))

    const { client } = await fixture.openTab(learner)
    // A message outside of the contract.
    client.emit('inbox:seen', { seq: -1 })
    await until(async () => expect(await figure('portal_sockets_malformed_total')).toBe(1))
  })

  it('[C10] have a series from the start for each event whose first occurrence sets off an alert', async () => {
    const text = await fetchFigures()
    for (const series of [
      'portal_outbound_given_up_total{channel="email"} 0',
      'portal_limit_refusals_total{limit="smsPerHour"} 0',
      'portal_limit_refusals_total{limit="logInFailuresPerEmail"} 0',
      'portal_limit_refusals_total{limit="logInFailuresPerEmailInHours"} 0',
      'portal_limit_refusals_total{limit="logInFailuresPerEmailInDay"} 0',
    ])
      expect(text).toContain(series)
    expect(await figure('portal_disk_free_bytes')).toBeGreaterThan(0)
  })

  it('[O5] count an account that becomes an admin, whoever made it one', async () => {
    const changes = () => figure('portal_security_events_total', { event: 'role-changed', result: 'ok' })
    // The first admin of the portal.
    await until(async () => expect(await changes()).toBe(1))
  })

  it('are served to a browser, and contain no personal data', async () => {
    const text = await fetchFigures({ accept: 'text/html' })
    expect(text).toContain('# TYPE portal_http_request_duration_seconds histogram')
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(text).not.toContain('@')
  })
})
