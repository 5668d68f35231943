import type { BareProcess, BenchDistributed, BenchPortal } from './bench-portal.ts'
import { type Comparison, nowMs, quantile, type Scale } from './measure.ts'
import { bareSide, portalSide, type Side } from './side.ts'

/** Latency from the POST to the handler in the client, and the processor time of a send, at a steady rate over open sockets. */
type Load = Pick<Scale, 'rounds' | 'roundMs' | 'sockets' | 'sendsPerSecond'>
type Round = { readonly latenciesMs: readonly number[]; readonly cpuMsPerSend: number }

/** Sends for one round. The processor time includes what follows a send, such as recording that it was seen. */
const oneRound = async (
  side: Side,
  { roundMs, sendsPerSecond }: Load,
  starts: Map<string, number>,
  taken: number[],
  round: string,
): Promise<Round> => {
  const total = Math.ceil((roundMs / 1_000) * sendsPerSecond)
  const first = taken.length
  const cpuBefore = await side.cpuMs()
  const begin = nowMs()
  const answers: Promise<unknown>[] = []
  for (let n = 0; n < total; n++) {
    const due = begin + (n * 1_000) / sendsPerSecond
    const waitMs = due - nowMs()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const label = `${round}-${n}`
    starts.set(label, nowMs())
    answers.push(side.send([side.users[(n * 7) % side.users.length] ?? ''], label))
  }
  await Promise.all(answers)
  const deadline = nowMs() + 5_000
  while (taken.length - first < total) {
    if (nowMs() > deadline) throw new Error(`only ${taken.length - first} of ${total} sends arrived`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await new Promise((resolve) => setTimeout(resolve, roundMs / 3))
  return { latenciesMs: taken.slice(first), cpuMsPerSend: ((await side.cpuMs()) - cpuBefore) / total }
}

const measured = (side: Side) => {
  const starts = new Map<string, number>()
  const taken: number[] = []
  side.onArrival((label) => {
    const start = starts.get(label)
    if (start !== undefined) taken.push(nowMs() - start)
  })
  return (load: Load, round: string) => oneRound(side, load, starts, taken, round)
}

/** Runs the sides in alternating rounds. Returns the rounds of each side. */
const interleaved = async (sides: readonly Side[], load: Load): Promise<readonly (readonly Round[])[]> => {
  const runs = sides.map((side) => ({ run: measured(side), rounds: [] as Round[] }))
  for (const { run } of runs) await run(load, 'warm-up')
  for (let round = 0; round < load.rounds; round++)
    for (const { run, rounds } of runs) rounds.push(await run(load, `round-${round}`))
  for (const side of sides) side.close()
  return runs.map(({ rounds }) => rounds)
}

const figures = {
  p50: ({ latenciesMs }: Round) => quantile(latenciesMs, 0.5),
  p99: ({ latenciesMs }: Round) => quantile(latenciesMs, 0.99),
  'processor time': ({ cpuMsPerSend }: Round) => cpuMsPerSend,
}
type Targets = readonly (readonly [figure: keyof typeof figures, times: number])[]

const comparisonsOf = (
  name: string,
  limitName: string,
  [portal = [], limit = []]: readonly (readonly Round[])[],
  atMost: Targets,
): Comparison[] =>
  atMost.map(([figure, times]) => ({
    name: `${name}, ${figure}`,
    limitName,
    unit: 'ms',
    portal: portal.map(figures[figure]),
    limit: limit.map(figures[figure]),
    reach: { atMost: times },
  }))

/** `base` is an earlier portal to compare with as well. */
export const benchSendLatency = async (
  portal: BenchPortal,
  bare: BareProcess,
  base: BenchPortal | undefined,
  scale: Scale,
): Promise<Comparison[]> => {
  const run = async (load: Load, atMost: Targets): Promise<Comparison[]> => {
    const { sockets, sendsPerSecond } = load
    const sides = [await portalSide(portal, sockets), await bareSide(bare, sockets)]
    if (base) sides.push(await portalSide(base, sockets))
    const [now = [], limit = [], before] = await interleaved(sides, load)
    const name = `send to handler, ${sockets.toLocaleString('en')} sockets, ${sendsPerSecond}/s`
    const comparisons = comparisonsOf(name, 'bare POST + FULL commit + emit', [now, limit], atMost)
    if (!before) return comparisons
    const noSlower = atMost.map(([figure]) => [figure, 1] as const)
    return [...comparisons, ...comparisonsOf(name, 'the base', [now, before], noSlower)]
  }
  const busy = { ...scale, sockets: scale.busySockets, sendsPerSecond: scale.busySendsPerSecond }
  return [
    ...(await run(scale, [['p50', 3], ['p99', 2], ['processor time', 2]])), // prettier-ignore
    ...(await run(busy, [['p50', 2], ['p99', 3], ['processor time', 2]])), // prettier-ignore
  ]
}

/**
 * The same send through six processes and three engines, against one process. The rate is one that two cores sustain.
 */
export const benchEnginesSend = async (
  distributed: BenchDistributed,
  standalone: BenchPortal,
  scale: Scale,
): Promise<Comparison[]> => {
  const calm = { ...scale, sendsPerSecond: scale.engineSendsPerSecond }
  const { sockets } = scale
  const rounds = await interleaved(
    [await portalSide(distributed, sockets), await portalSide(standalone, sockets)],
    calm,
  )
  const name = `engines: send to handler, ${sockets} sockets, ${calm.sendsPerSecond}/s`
  return comparisonsOf(name, 'the same in one process', rounds, [['p50', 10], ['p99', 10]]) // prettier-ignore
}
