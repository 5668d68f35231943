import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Peers } from './port.ts'
import { openPeers } from './redis-adapter.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
const patienceMs = 20_000
let url: string
let opened: Peers[]
let processes: ChildProcess[]

beforeEach(() => {
  url = `${inject('redisUrl')}?prefix=peers-${randomUUID()}`
  opened = []
  processes = []
})
afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL')
  await Promise.all(opened.map((peers) => peers.close()))
})

const join = async (): Promise<Peers> => {
  const peers = await openPeers({ url, logger })
  opened.push(peers)
  return peers
}

/** A peer in a separate process, which answers 'how-many' with 1. */
const joinAsProcess = async (): Promise<ChildProcess> => {
  const program = fileURLToPath(new URL('../../testing/peers/counting-peer.ts', import.meta.url))
  const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.push(child)
  await once(child.stdout, 'data')
  return child
}

/** Resolves when the first peer sees all others. */
const untilHeard = (asking: Peers, others: number): Promise<void> =>
  until(async () => expect(await asking.request('how-many', {}, patienceMs)).toHaveLength(others))

describe('peers', () => {
  it('broadcast to every other process, and not to themselves', async () => {
    const [one, two, three] = [await join(), await join(), await join()]
    const received: unknown[] = []
    for (const peers of [one, two, three]) {
      peers.onBroadcast('seen', (message) => received.push(message))
      peers.onBroadcast('other', () => received.push('wrong subject'))
      peers.onRequest('how-many', async () => 1)
    }
    await untilHeard(one, 2)
    one.broadcast('seen', { seq: 7 })
    await until(() => expect(received).toEqual([{ seq: 7 }, { seq: 7 }]))
  })

  it('resolve as soon as all have replied, including those without an answer', async () => {
    const [one, two, three] = [await join(), await join(), await join()]
    two.onRequest('how-many', async (question) => ({ question, answer: 2 }) as never)
    await until(async () => expect(await one.request('how-many', 'x', 60_000)).toHaveLength(1))
    expect(await one.request('how-many', 'x', 60_000)).toEqual([{ question: 'x', answer: 2 }])
    three.onRequest('how-many', () => Promise.reject(new Error('no')))
    expect(await one.request('how-many', 'x', 60_000), 'who fails keeps nobody waiting').toHaveLength(1)
  })

  it('resolve at once without other processes', async () => {
    const alone = await join()
    expect(await alone.request('how-many', {}, 60_000)).toEqual([])
  })

  it('match each response with its request', async () => {
    const [one, two] = [await join(), await join()]
    two.onRequest('echo', async (question) => question as number)
    await until(async () => expect(await one.request('echo', 0, 500)).toEqual([0]))
    const questions = Array.from({ length: 200 }, (_, n) => n)
    const answers = await Promise.all(questions.map((n) => one.request('echo', n, patienceMs)))
    expect(answers).toEqual(questions.map((n) => [n]))
  })

  it('return the responses so far if a process hangs, and all of them if it is dead', async () => {
    const [one, two] = [await join(), await join()]
    two.onRequest('how-many', async () => 1)
    const other = await joinAsProcess()
    await untilHeard(one, 2)
    other.kill('SIGSTOP')
    expect(await one.request('how-many', {}, 300)).toEqual([1])
    other.kill('SIGKILL')
    await once(other, 'exit')
    // Before the timeout, because a dead process does not count.
    await until(async () => expect(await one.request('how-many', {}, 60_000)).toEqual([1]))
  })
})
