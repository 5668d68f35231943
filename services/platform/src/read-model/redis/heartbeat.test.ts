import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { ServerConnection } from './client.ts'
import { startHeartbeat } from './heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const silentAfterMs = 1_000
const [one, other] = [{}, {}]

const start = (states: Map<object, Pick<ServerConnection, 'isReady' | 'ping'>>) => {
  const silent: object[] = []
  const connections = () => [...states].map(([id, state]) => ({ id, ...state }))
  const heartbeat = startHeartbeat(silentAfterMs, connections, ({ id }) => void silent.push(id))
  onTestFinished(heartbeat.stop)
  return silent
}
const answers = () => Promise.resolve('PONG')
const fails = () => Promise.reject(new Error('Socket closed'))
const hangs = () => new Promise<never>(() => {})

it('RM-61 reports only the connection that does not answer', async () => {
  const silent = start(
    new Map([
      [one, { isReady: true, ping: hangs }],
      [other, { isReady: true, ping: answers }],
      [{}, { isReady: true, ping: fails }],
    ]),
  )
  await vi.advanceTimersByTimeAsync(silentAfterMs)
  expect(silent).toEqual([])
  await vi.advanceTimersByTimeAsync(silentAfterMs)
  expect(silent).toEqual([one])
})

it('RM-61 gives a connection more time to be made, and begins again once it is', async () => {
  const states = new Map([[one, { isReady: false, ping: hangs }]])
  const silent = start(states)
  await vi.advanceTimersByTimeAsync(5 * silentAfterMs)
  states.set(one, { isReady: true, ping: hangs })
  await vi.advanceTimersByTimeAsync(silentAfterMs)
  expect(silent).toEqual([])
  states.set(one, { isReady: false, ping: hangs })
  await vi.advanceTimersByTimeAsync(5 * silentAfterMs)
  expect(silent).toEqual([])
  await vi.advanceTimersByTimeAsync(2 * silentAfterMs)
  expect(silent).toEqual([one])
})
