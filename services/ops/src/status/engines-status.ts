import { performance } from 'node:perf_hooks'
import { withTimeout } from '@portal/platform/async/timeout'
import { errorLine, displayAddressOf } from '../settings/engine-addresses.ts'

/** Includes connecting, which takes seconds on a busy machine. */
const checkTimeoutMs = 15_000

export type EngineStatus = {
  readonly engine: 'event store' | 'bus' | 'read models'
  /** Address without credentials. */
  readonly at: string
  readonly status: 'ok' | 'down'
  readonly latencyMs?: number
  readonly error?: string
}

/** Connects to an engine and checks it. The latency excludes connecting. */
export const checkEngine = async <T>(
  engine: EngineStatus['engine'],
  url: string,
  connect: () => T | Promise<T>,
  check: (opened: T) => Promise<unknown>,
): Promise<EngineStatus> => {
  const about = { engine, at: displayAddressOf(url) }
  const measure = async (): Promise<number> => {
    const opened = await connect()
    const startedAtMs = performance.now()
    await check(opened)
    return Math.round((performance.now() - startedAtMs) * 10) / 10
  }
  try {
    return { ...about, status: 'ok', latencyMs: await withTimeout(measure(), checkTimeoutMs, 'the response') }
  } catch (error) {
    return { ...about, status: 'down', error: errorLine(error, url) }
  }
}
