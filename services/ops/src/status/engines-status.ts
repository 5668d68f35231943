import { performance } from 'node:perf_hooks'
import { withTimeout } from '@portal/platform/async/timeout'
import { errorLine, displayAddressOf } from '../settings/engine-addresses.ts'

/** Connecting included, which takes seconds where the machine is busy. */
const deadlineMs = 15_000

export type EngineStatus = {
  readonly engine: 'event store' | 'bus' | 'read models'
  /** Without what an address may hold of passwords. */
  readonly at: string
  readonly status: 'ok' | 'down'
  readonly latencyMs?: number
  readonly error?: string
}

/** Asks an engine for a sign of life, and says how long that took, without what it took to connect. */
export const checkEngine = async <T>(
  engine: EngineStatus['engine'],
  url: string,
  connect: () => T | Promise<T>,
  check: (opened: T) => Promise<unknown>,
): Promise<EngineStatus> => {
  const about = { engine, at: displayAddressOf(url) }
  const ask = async (): Promise<number> => {
    const opened = await connect()
    const askedAtMs = performance.now()
    await check(opened)
    return Math.round((performance.now() - askedAtMs) * 10) / 10
  }
  try {
    return { ...about, status: 'ok', latencyMs: await withTimeout(ask(), deadlineMs, 'the answer') }
  } catch (error) {
    return { ...about, status: 'down', error: errorLine(error, url) }
  }
}
