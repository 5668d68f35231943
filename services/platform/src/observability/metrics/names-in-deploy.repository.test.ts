import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics, measureProcess } from './metrics.ts'

const deploy = join(import.meta.dirname, '../../../../../deploy')
const read = (file: string): string => readFileSync(join(deploy, file), 'utf8')

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})
const dashboardSchema = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
})
const metricSchema = z.object({ name: z.string(), type: z.string(), labelNames: z.array(z.string()).default([]) })

/** The labels that Prometheus adds to all scraped series. */
const added = ['job', 'instance', 'process']

const { groups } = rulesSchema.parse(parse(read('prometheus/alerts.yml')))
const { panels } = dashboardSchema.parse(JSON.parse(read('grafana/dashboards/portal.json')))
const used: readonly (readonly [where: string, expr: string, legend: string])[] = [
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr, ''] as const)),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => [title, expr, legendFormat] as const),
  ),
]

const seriesOf = ({
  name,
  type,
  labelNames,
}: z.infer<typeof metricSchema>): (readonly [string, readonly string[]])[] => {
  const labels = [...labelNames, ...added]
  if (type !== 'histogram') return [[name, labels]]
  return [
    [`${name}_bucket`, [...labels, 'le']],
    [`${name}_sum`, labels],
    [`${name}_count`, labels],
  ]
}

/** The series of the process metrics, with their labels. */
let series: ReadonlyMap<string, readonly string[]>
const metrics = createMetrics()
beforeAll(() => {
  measureProcess(metrics)
  const all = z.array(metricSchema).parse(metrics.registry.getMetricsAsArray())
  series = new Map([['up', added], ...all.flatMap(seriesOf)])
})
afterAll(() => metrics.registry.clear())

const namesIn = (expr: string): readonly string[] => expr.match(/\b(?:portal|nodejs|process)_\w+|\bup\b/g) ?? []

describe('alerts and dashboard', () => {
  it('use only series and labels that exist', () => {
    const unknown = used.flatMap(([where, expr, legend]) => {
      const names = namesIn(expr)
      const labels = names.flatMap((name) => series.get(name) ?? [])
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list?.split(/,\s*/) ?? [])
      const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|=)"/g)].map(([, label = '']) => label)
      const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      return [
        ...(names.length === 0 ? ['no series'] : names.filter((name) => !series.has(name))),
        ...[...grouped, ...selected, ...shown].filter((label) => !labels.includes(label)),
      ].map((what) => `${where}: ${what} in ${expr}`)
    })
    expect(used.length).toBeGreaterThan(50)
    expect(unknown).toEqual([])
  })

  it('use every metric of the portal', () => {
    const shown = new Set(
      used.flatMap(([, expr]) => namesIn(expr).map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))),
    )
    const counted = metrics.registry.getMetricsAsArray().map(({ name }) => name)
    expect(counted.filter((name) => name.startsWith('portal_') && !shown.has(name))).toEqual([])
  })
})
