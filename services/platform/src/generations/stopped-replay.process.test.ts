import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { serveTally, type ServedTally } from '@portal/platform/testing/generations/serving-tally'
import { tally } from '@portal/platform/testing/projection/tally'
import { afterAll, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { loadGenerations } from './generations.ts'
import { replay } from './replay.ts'

const program = fileURLToPath(new URL('../../testing/generations/replay-process.ts', import.meta.url))
const lostMessage =
  'This run lost the replay lock because it did not renew it in time. The active generations have not changed. Run it again'

// Both wait until a lock expires.
describe.concurrent('a replay in a process that is stopped until its lock has expired', () => {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const noteSome = async (tallied: ServedTally) => {
    let last = ''
    for (let n = 0; n < 40; n++) last = await tallied.note('a0', n)
    await tallied.untilApplied('a0', last)
  }
  /** Resolves when the serving processes have removed the lock of the stopped replay. */
  const stopReplay = async (step: string) => {
    const tallied = await serveTally()
    closing.push(tallied.stop)
    await noteSome(tallied)
    const child = fork(program, [tallied.folder, step], { execArgv: [] })
    closing.push(() => kill(child))
    const said = once(child, 'message').then(([outcome]: unknown[]) => outcome)
    const claim = async () => (await loadGenerations(tallied.readModels.control)).claim
    await until(async () => expect(await claim()).toBeDefined())
    await until(async () => expect(await claim()).toBeUndefined())
    return { tallied, outcome: said, resume: () => child.kill('SIGCONT') }
  }

  it('RP-14 goes on, with everything that has come meanwhile', async () => {
    await Promise.all(
      ['reading', 'fenced'].map(async (step) => {
        const { tallied, outcome, resume } = await stopReplay(step)
        await noteSome(tallied)
        resume()
        expect(await outcome).toBe('switched')
        await until(() => expect(tallied.serving.current().name).toBe('tally-next'))
        await noteSome(tallied)
        expect(await tallied.served()).toEqual(await tallied.cleanPass())
      }),
    )
  })

  it('RP-5 ends with one line if another replay ran meanwhile', { tags: ['verify'] }, async () => {
    const { tallied, outcome, resume } = await stopReplay('fenced')
    const signal = new AbortController().signal
    await replay({ ...tallied.ports, projections: [tally()], stamp: 'other', force: false, signal })
    resume()
    expect(await outcome).toBe(lostMessage)
    await until(() => expect(tallied.serving.current().name).toBe('tally-other'))
    await noteSome(tallied)
    expect(await tallied.served()).toEqual(await tallied.cleanPass())
  })
})
