import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { type StopStep, stopOnSignals } from './shutdown.ts'

const logger = pino({ level: 'silent' })
let signals: EventEmitter
let exits: EventEmitter
let trace: string[]

beforeEach(() => {
  signals = new EventEmitter()
  exits = new EventEmitter()
  trace = []
})

const step = (name: string, stop: () => Promise<void> = async () => {}): StopStep => ({
  name,
  stop: async () => {
    trace.push(name)
    await stop()
  },
})
const listen = (steps: readonly StopStep[], stepTimeoutMs = 5_000) =>
  stopOnSignals({ steps, logger, stepTimeoutMs, signals, exit: (code) => void exits.emit('exit', code) })

describe('a stop signal', () => {
  it('runs the steps in order and exits with 0', async () => {
    listen([step('http'), step('workers'), step('stores')])
    signals.emit('SIGTERM', 'SIGTERM')
    expect(await once(exits, 'exit')).toEqual([0])
    expect(trace).toEqual(['http', 'workers', 'stores'])
  })
  it('continues after a failing or hanging step, and exits with 1', async () => {
    const hanging = step('hanging', () => new Promise(() => {}))
    const failing = step('failing', () => Promise.reject(new Error('no')))
    listen([hanging, failing, step('stores')], 10)
    signals.emit('SIGINT', 'SIGINT')
    expect(await once(exits, 'exit')).toEqual([1])
    expect(trace).toEqual(['hanging', 'failing', 'stores'])
  })
  it('given twice exits at once', async () => {
    listen([step('hanging', () => new Promise(() => {})), step('stores')])
    const exited = once(exits, 'exit')
    signals.emit('SIGINT', 'SIGINT')
    signals.emit('SIGINT', 'SIGINT')
    expect(await exited).toEqual([1])
    expect(trace).toEqual(['hanging'])
  })
})
