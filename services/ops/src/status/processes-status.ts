import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDiscontinuityStore, describeDiscontinuity } from '@portal/platform/discontinuity/discontinuity'
import { findForeignLog } from '@portal/platform/discontinuity/log-identity'
import { shownAddressOf } from '@portal/platform/files/storage-urls'
import type { ReadModel } from '@portal/platform/read-model/port'
import { runFolderIn } from '@portal/platform/runtime/run-folder'
import type { Config } from '@portal/platform/settings/config'
import { z } from 'zod'
import type { EventLog } from '../settings/open-engines.ts'

/** Longer than the process's own health checks. */
const healthTimeoutMs = 4_000

type ProcessHealth = {
  /** 'unknown': the health route did not respond. */
  readonly status: 'ok' | 'degraded' | 'down' | 'unknown'
  /** The parts that are down. */
  readonly downParts: readonly string[]
  readonly discontinuities: readonly string[]
  /** Events that halt a part because only another release can read them. */
  readonly unreadableEvents: readonly string[]
  /** `part: reason` for the parts whose reason an operator can act on. */
  readonly reasons: readonly string[]
  /** Why the health is unknown. */
  readonly error?: string
}

export type ProcessStatus = {
  readonly process: string
  readonly pid: number
  readonly status: 'running' | 'gone'
  /** Health of a running process. */
  readonly health?: ProcessHealth
}

const reportSchema = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  parts: z.record(z.string(), z.enum(['ok', 'down'])),
  // Missing in earlier versions.
  discontinuities: z.array(z.string()).default([]),
  unreadableEvents: z.array(z.string()).default([]),
  reasons: z.array(z.string()).default([]),
})

const unknown = (error: string): ProcessHealth => ({
  status: 'unknown',
  downParts: [],
  discontinuities: [],
  unreadableEvents: [],
  reasons: [],
  error,
})

/** Reads `/health` of a process. An unhealthy process responds with 503 and the same report. */
const fetchHealth = async (address: string | undefined): Promise<ProcessHealth> => {
  if (address === undefined) return unknown('its address is unknown: it is starting, or is an earlier version')
  try {
    const response = await fetch(new URL('/health', address), { signal: AbortSignal.timeout(healthTimeoutMs) })
    const { status, parts, ...lists } = reportSchema.parse(await response.json())
    const downParts = Object.keys(parts).filter((part) => parts[part] === 'down')
    return { status, downParts, ...lists }
  } catch (error) {
    return unknown(`${address}/health does not answer (${error instanceof Error ? error.name : String(error)})`)
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const statusOf = async (folder: string, file: string): Promise<readonly ProcessStatus[]> => {
  const [id = '', address] = readFileSync(join(folder, file), 'utf8').split('\n')
  const pid = Number.parseInt(id, 10)
  if (!Number.isSafeInteger(pid) || pid < 1) return []
  const about = { process: file.slice(0, -'.pid'.length), pid }
  if (!isRunning(pid)) return [{ ...about, status: 'gone' }]
  return [{ ...about, status: 'running', health: await fetchHealth(address === '' ? undefined : address) }]
}

/** The processes with an id file in the data folder. A clean stop removes the file. */
export const processesStatus = async (dataDir: string): Promise<readonly ProcessStatus[]> => {
  const folder = runFolderIn(dataDir)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.pid'))
  return (await Promise.all(files.toSorted().map((file) => statusOf(folder, file)))).flat()
}

/** One line per problem. */
export const problemsOf = ({ process, pid, status, health }: ProcessStatus): readonly string[] => {
  if (status === 'gone') return [`Process ${pid} of ${process} is gone`]
  if (health === undefined) return []
  if (health.status === 'unknown') return [`The health of ${process} is unknown: ${health.error}`]
  // For a halted consumer, this line says more than the health part that it fails.
  const { downParts, discontinuities, reasons } = health
  const parts = downParts.filter((part) => part !== 'continuity' || discontinuities.length === 0)
  return parts.map((part) => {
    const reason = reasons.find((line) => line.startsWith(`${part}: `))?.slice(part.length + 2)
    return `${process}: the part ${part} is down${reason === undefined ? '' : `: ${reason}`}`
  })
}

type Read = { readonly log: EventLog | undefined; readonly control: ReadModel | undefined }

/** Why the read models cannot be used with the event store, in one line each: another store, and recorded discontinuities. */
export const continuityProblems = async (
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  { log, control }: Read,
): Promise<readonly string[]> => {
  const foreign = log && control && (await findForeignLog(shownAddressOf(eventStoreUrl), log, control))
  // While it is another store, no replay helps.
  return foreign === undefined ? recordedDiscontinuities(control) : [foreign.message]
}

/** The recorded discontinuities in the format of the health report, also without a running process. */
const recordedDiscontinuities = async (control: ReadModel | undefined): Promise<readonly string[]> =>
  control === undefined ? [] : (await createDiscontinuityStore(control).all()).map(describeDiscontinuity)
