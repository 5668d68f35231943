import type { BenchPortal } from '../bench-portal.ts'
import { type Comparison, quantile } from '../measure.ts'
import type { Scale } from '../scale.ts'
import { interleaved, portalSide } from '../send-latency.ts'
import type { BenchDistributed } from './bench-engines.ts'

/**
 * The same send, through six processes and three engines, and through one process. At a rate that two cores bear with all of
 * that, and the load, on them.
 */
export const benchEnginesSend = async (
  distributed: BenchDistributed,
  standalone: BenchPortal,
  scale: Scale,
): Promise<Comparison[]> => {
  const calm = { ...scale, sendsPerSecond: scale.engineSendsPerSecond }
  const sides = [await portalSide(distributed, scale), await portalSide(standalone, scale)] as const
  const [through, within] = await interleaved(...sides, calm)
  const comparison = (q: number, atMost: number): Comparison => ({
    name: `engines: send to handler, ${scale.sockets} sockets, ${calm.sendsPerSecond}/s, p${q * 100}`,
    limitName: 'the same in one process',
    unit: 'ms',
    portal: through.map((taken) => quantile(taken, q)),
    limit: within.map((taken) => quantile(taken, q)),
    reach: { atMost },
  })
  return [comparison(0.5, 10), comparison(0.99, 10)]
}
