import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDiscontinuityStore, describeDiscontinuity } from '@portal/platform/discontinuity/discontinuity'
import type { ReadModel } from '@portal/platform/read-model/port'
import { runFolderIn } from '@portal/platform/runtime/run-folder'
import { z } from 'zod'

/** Longer than a process takes to ask its engines. */
const askTimeoutMs = 4_000

type ProcessHealth = {
  /** 'unknown': it could not be asked. */
  readonly status: 'ok' | 'degraded' | 'down' | 'unknown'
  /** Parts that it says do not serve. */
  readonly downParts: readonly string[]
  readonly discontinuities: readonly string[]
  /** Events that it cannot pass. */
  readonly unreadableEvents: readonly string[]
  /** Why it could not be asked. */
  readonly error?: string
}

export type ProcessStatus = {
  readonly process: string
  readonly pid: number
  readonly status: 'running' | 'gone'
  /** Of one that runs. */
  readonly health?: ProcessHealth
}

const reportSchema = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  parts: z.record(z.string(), z.enum(['ok', 'down'])),
  // Processes of earlier versions do not say.
  discontinuities: z.array(z.string()).default([]),
  unreadableEvents: z.array(z.string()).default([]),
})

const unknown = (error: string): ProcessHealth => ({
  status: 'unknown',
  downParts: [],
  discontinuities: [],
  unreadableEvents: [],
  error,
})

/** Asks a process's own `/health`, which answers 503 with the same report when it is red. */
const askHealth = async (address: string | undefined): Promise<ProcessHealth> => {
  if (address === undefined) return unknown('it does not say where it serves: it is starting, or of an earlier version')
  try {
    const response = await fetch(new URL('/health', address), { signal: AbortSignal.timeout(askTimeoutMs) })
    const { status, parts, discontinuities, unreadableEvents } = reportSchema.parse(await response.json())
    const downParts = Object.keys(parts).filter((part) => parts[part] === 'down')
    return { status, downParts, discontinuities, unreadableEvents }
  } catch (error) {
    return unknown(`${address}/health does not answer (${error instanceof Error ? error.name : String(error)})`)
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's: it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const statusOf = async (folder: string, file: string): Promise<readonly ProcessStatus[]> => {
  const [id = '', address] = readFileSync(join(folder, file), 'utf8').split('\n')
  const pid = Number.parseInt(id, 10)
  if (!Number.isSafeInteger(pid) || pid < 1) return []
  const about = { process: file.slice(0, -'.pid'.length), pid }
  if (!isRunning(pid)) return [{ ...about, status: 'gone' }]
  return [{ ...about, status: 'running', health: await askHealth(address === '' ? undefined : address) }]
}

/** The processes that have written their ids under the data folder. One that has ended in order has taken its file away. */
export const processesStatus = async (dataDir: string): Promise<readonly ProcessStatus[]> => {
  const folder = runFolderIn(dataDir)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.pid'))
  return (await Promise.all(files.toSorted().map((file) => statusOf(folder, file)))).flat()
}

/** A line each; in the words of the health report. */
export const problemsOf = ({ process, pid, status, health }: ProcessStatus): readonly string[] => {
  if (status === 'gone') return [`Process ${pid} of ${process} is gone`]
  if (health === undefined) return []
  if (health.status === 'unknown') return [`The health of ${process} cannot be asked: ${health.error}`]
  // For a halted consumer, this line says more than the health part that it fails.
  const { downParts, discontinuities } = health
  const parts = downParts.filter((part) => part !== 'continuity' || discontinuities.length === 0)
  return parts.map((part) => `${process} says that its part ${part} is down`)
}

/** In the words that health says, known also while no process runs. */
export const recordedDiscontinuities = async (control: ReadModel | undefined): Promise<readonly string[]> =>
  control === undefined ? [] : (await createDiscontinuityStore(control).all()).map(describeDiscontinuity)
