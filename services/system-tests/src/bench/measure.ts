import { cpus, totalmem } from 'node:os'

/** The machine of the measurement. */
export const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
}
export const machineDescription = `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB, Node ${machine.node}`

/** Amount of work. The quick scale runs every benchmark, but its figures mean nothing. */
export type Scale = {
  readonly rounds: number
  readonly roundMs: number
  readonly sockets: number
  readonly sendsPerSecond: number
  readonly busySockets: number
  readonly busySendsPerSecond: number
  readonly tracedSends: number
  readonly fanOutLearners: number
  readonly fanOutOnline: number
  readonly audienceLearners: number
  readonly audienceOnline: number
  readonly appendsPerRound: number
  readonly inboxSizes: readonly number[]
  readonly memorySockets: number
  readonly resendRecipients: number
  readonly paidLearners: number
  /** Measured only with ENGINES=1. */
  readonly engineSendsPerSecond: number
  readonly gatewaySockets: number
  readonly gatewaySends: number
  readonly lagMs: number
  readonly lagSendsPerSecond: number
  readonly rebuildEvents: number
  readonly scaledMessages: number
}

export const fullScale: Scale = {
  rounds: 7,
  roundMs: 3_000,
  sockets: 200,
  sendsPerSecond: 100,
  busySockets: 1_000,
  busySendsPerSecond: 200,
  tracedSends: 300,
  fanOutLearners: 10_000,
  fanOutOnline: 1_000,
  audienceLearners: 100_000,
  audienceOnline: 5_000,
  appendsPerRound: 40_000,
  inboxSizes: [10, 1_000, 100_000],
  memorySockets: 5_000,
  resendRecipients: 100_000,
  paidLearners: 500,
  engineSendsPerSecond: 25,
  gatewaySockets: 50,
  gatewaySends: 100,
  lagMs: 5_000,
  lagSendsPerSecond: 500,
  rebuildEvents: 200_000,
  scaledMessages: 40_000,
}

export const quickScale: Scale = {
  rounds: 2,
  roundMs: 300,
  sockets: 20,
  sendsPerSecond: 100,
  busySockets: 50,
  busySendsPerSecond: 200,
  tracedSends: 20,
  fanOutLearners: 500,
  fanOutOnline: 50,
  audienceLearners: 12_000,
  audienceOnline: 50,
  appendsPerRound: 4_000,
  inboxSizes: [10, 500],
  memorySockets: 200,
  resendRecipients: 500,
  paidLearners: 20,
  engineSendsPerSecond: 25,
  gatewaySockets: 6,
  gatewaySends: 10,
  lagMs: 500,
  lagSendsPerSecond: 100,
  rebuildEvents: 4_000,
  scaledMessages: 2_000,
}

/**
 * Figures are medians over interleaved rounds, because the speed of a machine drifts: only ratios within one run are
 * comparable.
 */

export const quantile = (values: readonly number[], q: number): number => {
  if (values.length === 0) throw new Error('no values')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN
}
const median = (values: readonly number[]): number => quantile(values, 0.5)

type Unit = 'ms' | '/s' | 'KiB' | 'MiB' | 'us'

/** The measurements of both sides in each round, and the ratio to reach. */
export type Comparison = {
  readonly name: string
  readonly limitName: string
  readonly unit: Unit
  readonly portal: readonly number[]
  readonly limit: readonly number[]
  /** `atMost`: upper bound of portal ÷ limit; `atLeast`: lower bound. */
  readonly reach: { readonly atMost: number } | { readonly atLeast: number }
}

type Row = {
  readonly name: string
  readonly limitName: string
  readonly unit: Unit
  readonly portalMedian: number
  readonly limitMedian: number
  readonly ratio: number
  readonly ratioSpread: readonly [min: number, max: number]
  readonly reach: string
  readonly reached: boolean
  readonly rounds: number
}

/** The ratio is the median of the ratios per round, so that drift cancels out. */
export const rowOf = (comparison: Comparison): Row => {
  const { portal, limit, reach } = comparison
  const ratios = portal.map((value, round) => value / (limit[round] ?? NaN))
  const ratio = median(ratios)
  return {
    name: comparison.name,
    limitName: comparison.limitName,
    unit: comparison.unit,
    portalMedian: median(portal),
    limitMedian: median(limit),
    ratio,
    ratioSpread: [Math.min(...ratios), Math.max(...ratios)],
    reach: 'atMost' in reach ? `≤ ${reach.atMost}×` : `≥ ${reach.atLeast}×`,
    reached: 'atMost' in reach ? ratio <= reach.atMost : ratio >= reach.atLeast,
    rounds: ratios.length,
  }
}

const figure = (value: number, unit: Unit) =>
  `${value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ${unit}`

export const tableOf = (rows: readonly Row[]): string =>
  [
    '| what | portal | against | limit | ratio (min–max) | reach | |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => {
      const [min, max] = row.ratioSpread
      return `| ${row.name} | ${figure(row.portalMedian, row.unit)} | ${row.limitName} | ${figure(row.limitMedian, row.unit)} | ${row.ratio.toFixed(2)}× (${min.toFixed(2)}–${max.toFixed(2)}) | ${row.reach} | ${row.reached ? 'reached' : 'missed'} |`
    }),
  ].join('\n')

/** Milliseconds on a monotonic clock. */
export const nowMs = (): number => performance.now()

/** Calls `request` in sequence for `durationMs` and returns the milliseconds of each call. */
export const measureLatencies = async (durationMs: number, request: () => Promise<unknown>): Promise<number[]> => {
  const taken: number[] = []
  const end = nowMs() + durationMs
  while (nowMs() < end) {
    const start = nowMs()
    await request()
    taken.push(nowMs() - start)
  }
  return taken
}
