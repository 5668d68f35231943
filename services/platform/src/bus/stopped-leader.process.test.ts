import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { currentLeader } from './lease.ts'

const program = fileURLToPath(new URL('../../testing/bus/lease-process.ts', import.meta.url))
const lengthMs = 1_000
/** A limit for what a running leader does three times a second. */
const longMs = 20_000

describe('a leader whose process is stopped for longer than its lease', () => {
  let folder: string
  let readModel: ReadModel
  let child: ChildProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lease-'))
    readModel = openSqliteReadModel({ path: folder, namespace: 'control' })
  })
  afterEach(async () => {
    if (child !== undefined) {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    await readModel.close()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })

  it('FD-7 takes the lease again if no other process has, and works and renews it again', async () => {
    const reports: unknown[] = []
    const started = fork(program, [folder, String(lengthMs)], { execArgv: [] })
    child = started
    started.on('message', (report) => reports.push(report))
    const isWorking = () => until(() => expect(reports.at(-1)).toBe('leads'))
    await isWorking()
    const holder = await currentLeader(readModel, 'test', longMs)
    expect(holder).toBeDefined()

    started.kill('SIGSTOP')
    await until(async () => expect(await currentLeader(readModel, 'test', lengthMs)).toBeUndefined())
    started.kill('SIGCONT')
    // The position moves again, and is still that of the same holder.
    expect(await currentLeader(readModel, 'test', longMs)).toBe(holder)
    await isWorking()
    expect(await currentLeader(readModel, 'test', longMs)).toBe(holder)
  })
})
