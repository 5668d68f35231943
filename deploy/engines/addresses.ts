import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { docker } from './docker-cli.ts'
import { engineKinds, settingOf } from './engine.ts'
import { startedAt } from './processes.ts'

const server = z.object({
  name: z.string(),
  url: z.string(),
  /** Of a server on this machine: its id and when it was started, which names it for good. */
  pid: z.int().optional(),
  startedAt: z.string().optional(),
  container: z.string().optional(),
})
export type KnownEngine = z.infer<typeof server>

const schema = z.object({ eventStore: server.optional(), bus: server.optional(), readModel: server.optional() })
/** The engines that `make engines-up` started. It stays when they stop: they start at the same addresses again. */
export type KnownEngines = z.infer<typeof schema>

const fileIn = (folder: string): string => join(folder, 'addresses.json')

export const readAddresses = async (folder: string): Promise<KnownEngines> =>
  existsSync(fileIn(folder)) ? schema.parse(JSON.parse(await readFile(fileIn(folder), 'utf8'))) : {}

export const writeAddresses = async (folder: string, known: KnownEngines): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const partial = `${fileIn(folder)}.partial`
  await writeFile(partial, `${JSON.stringify(known, undefined, 2)}\n`, { mode: 0o600 })
  await rename(partial, fileIn(folder))
}

/** Undefined where the address names none. */
export const portOf = ({ url }: KnownEngine): number | undefined => {
  const port = Number(/:(\d+)(?:[/?]|$)/.exec(url)?.[1])
  return Number.isSafeInteger(port) ? port : undefined
}

export const isRunning = async ({ pid, startedAt: started, container }: KnownEngine): Promise<boolean> => {
  if (container !== undefined) {
    const state = await docker('inspect', '-f', '{{.State.Running}}', container).catch(() => 'gone')
    return state === 'true'
  }
  return pid !== undefined && started !== undefined && startedAt(pid) === started
}

/** EVENT_STORE_URL, BUS_URL and READ_MODEL_URL of the engines that are up; undefined while one of them is not. */
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
