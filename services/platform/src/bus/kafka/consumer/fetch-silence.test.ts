import { EventEmitter } from 'node:events'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { watchFetches } from './fetch-silence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const { events } = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).consumer({ groupId: 'test' })

const start = () => {
  const emitter = new EventEmitter()
  const log: string[] = []
  let lost = 0
  const watch = watchFetches({
    kafka: {
      events,
      on(name: string, listener: (event: { payload: { nodeId: number } }) => void) {
        emitter.on(name, listener)
        return () => void emitter.off(name, listener)
      },
    },
    lostConnections: () => lost,
    onSilent: (ms, isGivenUp) => log.push(isGivenUp ? `given up after ${ms}` : `silent for ${ms}`),
    onAnswer: () => log.push('answered'),
  })
  onTestFinished(watch.stop)
  return {
    log,
    fetch: (nodeId = 1) => emitter.emit(events.FETCH_START, { payload: { nodeId } }),
    answer: (nodeId = 1) => emitter.emit(events.FETCH, { payload: { nodeId } }),
    rebalance: () => emitter.emit(events.REBALANCING, {}),
    lose: () => void lost++,
  }
}

it('BUS-47 reports a fetch that is not answered, and gives it up later', async () => {
  const { log, fetch, answer } = start()
  for (let n = 0; n < 20; n++) {
    fetch()
    await vi.advanceTimersByTimeAsync(250)
    answer()
  }
  fetch(1)
  fetch(2)
  answer(2)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(log).toEqual(['silent for 2500'])
  answer(1)
  expect(log).toEqual(['silent for 2500', 'answered'])
  fetch()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(log.slice(2)).toEqual(['silent for 2500', 'given up after 5000'])
})

it('BUS-47 reports that no fetch follows, as while a heartbeat is not answered, except during a rebalance', async () => {
  const { log, fetch, answer, rebalance } = start()
  fetch()
  answer()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(log).toEqual(['silent for 2500'])
  fetch()
  answer()
  expect(log).toEqual(['silent for 2500', 'answered'])
  rebalance()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(log).toHaveLength(2)
})

it('BUS-47 leaves a connection that has closed to kafkajs', async () => {
  const { log, fetch, lose } = start()
  fetch()
  await vi.advanceTimersByTimeAsync(1_000)
  lose()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(log).toEqual([])
})
