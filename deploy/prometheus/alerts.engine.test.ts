import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMetrics, measureProcess } from '@portal/platform/observability/metrics/metrics'
import { expect, it, onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'
import { z } from 'zod'

/** The series of a case, as promtool writes their values. */
type Series = Readonly<Record<string, string>>

/** An alert with series that must set it off after so many minutes, and with series that must not. */
type Case = {
  readonly minutes: number
  readonly fires: Series
  /** Sets it off by another half of the expression. */
  readonly alsoFires?: Series
  readonly stays?: Series
}

const hour = 60
const refused = (event: string) => `portal_security_events_total{event="${event}",result="refused",process="auth"}`
const roleChanged = 'portal_security_events_total{event="role-changed",result="ok",process="auth"}'
const sent = (channel: string, result: string) =>
  `portal_outbound_messages_total{channel="${channel}",result="${result}"}`
const limit = (name: string) => `portal_limit_refusals_total{limit="${name}"}`
const requests = (status: string) =>
  `portal_http_request_duration_seconds_count{method="GET",route="/notifications",status="${status}",process="auth"}`
const ages = (le: string) => `portal_bus_message_age_seconds_bucket{consumer="projection:inbox",le="${le}"}`

/**
 * Each series is absent at first, as before the start of a process. A counter that an alert compares with 0 then begins with 0, as
 * services/standalone/src/figures.test.ts asserts.
 */
const cases: Readonly<Record<string, Case>> = {
  PortalProcessGone: {
    minutes: 5,
    fires: { 'up{job="portal",process="auth"}': '_ 1 0x10' },
    stays: { 'up{job="portal",process="auth"}': '_ 1x10' },
  },
  PortalPartDown: {
    minutes: 5,
    fires: { 'portal_health_part_up{part="bus",process="auth"}': '_ 1 0x10' },
    stays: {
      'portal_health_part_up{part="bus",process="auth"}': '_ 1 0 1x10',
      'portal_health_part_up{part="background-work",process="auth"}': '_ 1 0x10',
    },
  },
  PortalBackgroundWorkFailed: {
    minutes: 5,
    fires: { 'portal_unhandled_rejections_total{process="auth"}': '_ 0 1x10' },
    stays: { 'portal_unhandled_rejections_total{process="auth"}': '_ 0x10' },
  },
  PortalErrors: {
    minutes: 20,
    fires: { [requests('5xx')]: '_ 0+2x30', [requests('2xx')]: '_ 0+100x30' },
    stays: { [requests('5xx')]: '_ 0x30', [requests('2xx')]: '_ 0+100x30' },
  },
  PortalProjectionBehind: {
    minutes: 5,
    fires: { 'portal_bus_oldest_in_hand_seconds{consumer="projection:inbox"}': '_ 20x10' },
    stays: { 'portal_bus_oldest_in_hand_seconds{consumer="projection:inbox"}': '_ 2x10' },
  },
  PortalProjectionSlow: {
    minutes: 20,
    fires: { [ages('1')]: '_ 0+1x30', [ages('5')]: '_ 0+100x30', [ages('+Inf')]: '_ 0+100x30' },
    stays: { [ages('1')]: '_ 0+100x30', [ages('5')]: '_ 0+100x30', [ages('+Inf')]: '_ 0+100x30' },
  },
  PortalReadModelEmptied: {
    minutes: 3,
    fires: { 'portal_read_model_emptied{read_model="inbox-main"}': '_ 1x10' },
    stays: { 'portal_read_model_emptied{read_model="inbox-main"}': '_ 0x10' },
  },
  PortalDiscontinuity: {
    minutes: 3,
    fires: { 'portal_discontinuities{consumer="projection:inbox",cause="log-older"}': '_ 1x10' },
  },
  PortalConsumerFails: {
    minutes: 10,
    fires: { 'portal_bus_handle_failures_total{consumer="gateway",error="Error"}': '_ 0+10x20' },
    stays: { 'portal_bus_handle_failures_total{consumer="gateway",error="Error"}': '_ 0 1x20' },
  },
  PortalMessagesParked: {
    minutes: 3,
    fires: { 'portal_projection_parked{projection="inbox"}': '_ 1x10' },
    stays: { 'portal_projection_parked{projection="inbox"}': '_ 0x10' },
  },
  PortalBackupOld: {
    minutes: 50 * hour,
    fires: { portal_last_good_backup_timestamp_seconds: '_ 0x110' },
    stays: { portal_last_good_backup_timestamp_seconds: '_ 172800x110' },
  },
  PortalDiskFillsUp: {
    minutes: 2 * hour,
    // 20 GB that lose 50 MB a minute are used up within seven hours.
    fires: { 'portal_disk_free_bytes{process="auth"}': '_ 20e9-50e6x200' },
    // Nearly full and not filling up.
    alsoFires: { 'portal_disk_free_bytes{process="auth"}': '_ 0.9e9x200' },
    stays: { 'portal_disk_free_bytes{process="auth"}': '_ 20e9-1e6x200' },
  },
  PortalFeedWithoutLead: {
    minutes: 5,
    fires: { 'portal_feed_leading{service="auth",process="auth"}': '_ 1 0x10' },
    stays: { 'portal_feed_leading{service="auth",process="auth"}': '_ 1x10' },
  },
  PortalFeedFails: {
    minutes: 5,
    fires: { 'portal_feed_failing{service="auth"}': '_ 1x10' },
    stays: { 'portal_feed_failing{service="auth"}': '_ 0x10' },
  },
  PortalSocketsStuck: {
    minutes: 10,
    fires: { 'portal_sockets_stuck_total{process="gateway-1"}': '_ 0+10x20' },
    stays: { 'portal_sockets_stuck_total{process="gateway-1"}': '_ 0 1x20' },
  },
  PortalOutboundFails: {
    minutes: 20,
    fires: { [sent('email', 'failed')]: '_ 0+10x30', [sent('email', 'accepted')]: '_ 0+90x30' },
    stays: { [sent('email', 'failed')]: '_ 0+1x30', [sent('email', 'accepted')]: '_ 0+90x30' },
  },
  PortalMessagesGivenUp: {
    minutes: 5,
    fires: { 'portal_outbound_given_up_total{channel="email"}': '_ 0 1x10' },
    stays: { 'portal_outbound_given_up_total{channel="email"}': '_ 0x10' },
  },
  PortalLogInsQueue: {
    minutes: 5,
    fires: { portal_passwords_waiting: '_ 300x10' },
    stays: { portal_passwords_waiting: '_ 3x10' },
  },
  PortalLimitHit: {
    minutes: 10,
    fires: { [limit('logInsPerAddress')]: '_ 0+100x20' },
    stays: { [limit('logInsPerAddress')]: '_ 0+1x20' },
  },
  PortalAccountGuessed: {
    minutes: 5,
    fires: { [limit('logInFailuresPerEmail')]: '_ 0 1x10' },
    stays: { [limit('logInFailuresPerEmail')]: '_ 0x10' },
  },
  PortalSmsBudgetUsedUp: {
    minutes: 5,
    fires: { [limit('smsPerHour')]: '_ 0 1x10' },
    stays: { [limit('smsPerHour')]: '_ 0x10' },
  },
  PortalLimitsInMemory: {
    minutes: 12,
    fires: { 'portal_limit_fallbacks_total{process="auth"}': '_ 0+1x20' },
    stays: { 'portal_limit_fallbacks_total{process="auth"}': '_ 0x20' },
  },
  PortalEventLoopBlocked: {
    minutes: 10,
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="portal",process="auth"}': '_ 0.4x20' },
    stays: { 'nodejs_eventloop_lag_p99_seconds{job="portal",process="auth"}': '_ 0.02x20' },
  },
  PortalLogInsRefused: {
    minutes: 10,
    fires: { [refused('log-in')]: '_ 0+30x20' },
    stays: { [refused('log-in')]: '_ 0+1x20' },
  },
  PortalCodesRefused: {
    minutes: 10,
    fires: { [refused('code-checked')]: '_ 0+30x20' },
    stays: { [refused('code-checked')]: '_ 0+1x20' },
  },
  PortalLimitsHit: {
    minutes: 10,
    fires: { [refused('limit-hit')]: '_ 0+60x20' },
    stays: { [refused('limit-hit')]: '_ 0+1x20' },
  },
  PortalRequestsRefused: {
    minutes: 10,
    fires: { [refused('request-refused')]: '_ 0+100x20' },
    stays: { [refused('request-refused')]: '_ 0+1x20' },
  },
  PortalSocketsRefused: {
    minutes: 10,
    fires: { [refused('socket-refused')]: '_ 0+100x20' },
    stays: { [refused('socket-refused')]: '_ 0+1x20' },
  },
  PortalRequestsFail: {
    minutes: 10,
    fires: { 'portal_security_events_total{event="request-failed",result="failed",process="auth"}': '_ 0+10x20' },
    stays: { 'portal_security_events_total{event="request-failed",result="failed",process="auth"}': '_ 0 1x20' },
  },
  PortalEmailBudget: {
    minutes: 90,
    fires: { [sent('email', 'accepted')]: '_ 0+30x100' },
    stays: { [sent('email', 'accepted')]: '_ 0+3x100' },
  },
  PortalRoleChanged: {
    minutes: 5,
    fires: { [roleChanged]: '_ 0 1x10' },
    stays: { [roleChanged]: '_ 0x10' },
  },
}

const rules = join(import.meta.dirname, 'alerts.yml')
const ruleSchema = z.object({ alert: z.string(), expr: z.string() })
const { groups } = z
  .object({ groups: z.array(z.object({ rules: z.array(ruleSchema) })) })
  .parse(parse(readFileSync(rules, 'utf8')))
const alerts = groups.flatMap((group) => group.rules)

/** `make setup` fetches promtool where the machine has none. */
const fetched = join(import.meta.dirname, '../../node_modules/.cache/portal-engines/promtool')
const promtool = existsSync(fetched) ? fetched : 'promtool'

/** Evaluating every minute of two days takes seconds. */
const stepMinutesOf = ({ minutes }: Case): 1 | 30 => (minutes > 10 * hour ? 30 : 1)

/** Asserts how many instances of the alert fire. */
const unitTest = (alert: string, series: Series, count: 0 | 1, one: Case) => ({
  interval: `${stepMinutesOf(one)}m`,
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: `${one.minutes}m`,
      exp_samples: [{ labels: '{}', value: count }],
    },
  ],
})

it('[C10] each alert fires on the series of a process that has just started, and not while all is well', async () => {
  expect(Object.keys(cases)).toEqual(alerts.map(({ alert }) => alert))
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const stepMinutes of [1, 30]) {
    const tests = Object.entries(cases)
      .filter(([, one]) => stepMinutesOf(one) === stepMinutes)
      .flatMap(([alert, one]) => [
        unitTest(alert, one.fires, 1, one),
        ...(one.alsoFires ? [unitTest(alert, one.alsoFires, 1, one)] : []),
        ...(one.stays ? [unitTest(alert, one.stays, 0, one)] : []),
      ])
    const file = join(folder, `every-${stepMinutes}m.yml`)
    writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: `${stepMinutes}m`, tests }))
    const { stdout } = await promisify(execFile)(promtool, ['test', 'rules', file])
    expect(stdout).toContain('SUCCESS')
  }
})

it('[C10] the cases have only names and labels of real series', () => {
  const metrics = createMetrics()
  measureProcess(metrics)
  onTestFinished(() => metrics.registry.clear())
  const known = new Map(
    z
      .array(z.object({ name: z.string(), labelNames: z.array(z.string()).default([]) }))
      .parse(metrics.registry.getMetricsAsArray())
      .map(({ name, labelNames }) => [name, [...labelNames, 'process', 'job', 'le']]),
  )
  const unknown = Object.values(cases)
    .flatMap(({ fires, alsoFires = {}, stays = {} }) => Object.keys({ ...fires, ...alsoFires, ...stays }))
    .filter((series) => {
      const name = series.replace(/\{.*/, '').replace(/_(?:bucket|count)$/, '')
      const labels = [...series.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
      return name !== 'up' && !labels.every((label) => known.get(name)?.includes(label))
    })
  expect(unknown).toEqual([])
})
