import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { type EngineKind, engineKinds } from '@portal/engines/engine-kinds'
import { z } from 'zod'
import { repositoryRoot } from '../repository-root.ts'
import { startedAt } from './processes.ts'

export const settingOf: Readonly<Record<EngineKind, string>> = {
  eventStore: 'EVENT_STORE_URL',
  bus: 'BUS_URL',
  readModel: 'READ_MODEL_URL',
}

/** The folder of `make engines-up` for data, logs, process ids and addresses. */
export const enginesFolder = (environment: NodeJS.ProcessEnv): string => {
  const chosen = environment['ENGINES_DIR'] || 'engines'
  return isAbsolute(chosen) ? chosen : join(repositoryRoot, chosen)
}

const server = z.object({
  name: z.string(),
  url: z.string(),
  /** With `startedAt`, it identifies a process on this machine, because ids are reused. */
  pid: z.int().optional(),
  startedAt: z.string().optional(),
  container: z.string().optional(),
})
export type KnownEngine = z.infer<typeof server>

const schema = z.object({ eventStore: server.optional(), bus: server.optional(), readModel: server.optional() })
/** The engines of `make engines-up`. The file is kept after they stop, so that they restart at the same addresses. */
type KnownEngines = z.infer<typeof schema>

const fileIn = (folder: string): string => join(folder, 'addresses.json')

export const readAddresses = async (folder: string): Promise<KnownEngines> =>
  existsSync(fileIn(folder)) ? schema.parse(JSON.parse(await readFile(fileIn(folder), 'utf8'))) : {}

export const writeAddresses = async (folder: string, known: KnownEngines): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const partial = `${fileIn(folder)}.partial`
  await writeFile(partial, `${JSON.stringify(known, undefined, 2)}\n`, { mode: 0o600 })
  await rename(partial, fileIn(folder))
}

/** Undefined if the address has no port. */
export const portOf = ({ url }: KnownEngine): number | undefined => {
  const port = Number(/:(\d+)(?:[/?]|$)/.exec(url)?.[1])
  return Number.isSafeInteger(port) ? port : undefined
}

const isContainerRunning = async (container: string): Promise<boolean> => {
  const inspect = promisify(execFile)('docker', ['inspect', '-f', '{{.State.Running}}', container])
  return inspect.then(
    ({ stdout }) => stdout.trim() === 'true',
    () => false,
  )
}

export const isRunning = async ({ pid, startedAt: started, container }: KnownEngine): Promise<boolean> => {
  if (container !== undefined) return isContainerRunning(container)
  return pid !== undefined && started !== undefined && startedAt(pid) === started
}

/** EVENT_STORE_URL, BUS_URL and READ_MODEL_URL of the engines; undefined unless all are running. */
export const engineSettings = async (folder: string): Promise<Readonly<Record<string, string>> | undefined> => {
  const known = await readAddresses(folder)
  const settings: Record<string, string> = {}
  for (const kind of engineKinds) {
    const engine = known[kind]
    if (!engine || !(await isRunning(engine))) return undefined
    settings[settingOf[kind]] = engine.url
  }
  return settings
}
