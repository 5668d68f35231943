import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@portal/engines/free-port'
import { z } from 'zod'

export const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
export const nodeBinary = join(repositoryRoot, 'node_modules/.bin/node')

export const admin = { email: 'admin@example.com', password: 'Steward-passage1!' }

export type Environment = Readonly<Record<string, string>>

/** The environment of a portal process. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => {
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, NODE_OPTIONS: _options, ...inherited } = process.env
  return inherited
}

/** The environment of a portal process. */
const environmentOf = (settings: Environment): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  // Not that of the repository: a portal without data does not start beside backups.
  ...(settings['DATA_DIR'] !== undefined && { BACKUP_DIR: join(settings['DATA_DIR'], 'backups') }),
  ...settings,
})

export const newDataFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'portal-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

const seed = async (
  dataDir: string,
  learners: number,
  settings: Environment,
  root = repositoryRoot,
): Promise<string> => {
  const { stdout } = await promisify(execFile)(nodeBinary, [join(root, 'services/ops/src/seed.ts')], {
    env: environmentOf({ ...settings, DATA_DIR: dataDir, LEARNERS: String(learners) }),
  })
  const password = /password\W+(\S+)/i.exec(stdout)?.[1]
  if (!password) throw new Error(`the seed command printed no password:\n${stdout}`)
  return password
}

/** Seeds learners with empty inboxes. Returns the password that the command prints. `root` is the checkout that runs. */
export const seedLearners = (
  dataDir: string,
  learners: number,
  settings: Environment = {},
  root?: string,
): Promise<string> => seed(dataDir, learners, { ...settings, SAMPLE: '0' }, root)

/** Seeds all sample data: learners, programs, enrollments, a faculty member and notifications. */
export const seedSample = (dataDir: string, learners: number): Promise<string> =>
  seed(dataDir, learners, { SAMPLE: '1' })

/** Starts a program of the portal in its own process. */
export const spawnProgram = (program: string, settings: Environment, cwd = repositoryRoot) => {
  const child = spawn(nodeBinary, [program], {
    cwd,
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  const exited = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    exited,
    hasEnded,
    /** Output of both streams so far. */
    output: () => chunks.join(''),
    /** Resolves with the exit code. */
    end: async (signal: NodeJS.Signals): Promise<number | null> => {
      if (!hasEnded()) {
        child.kill(signal)
        await exited
      }
      return child.exitCode
    },
  }
}

export type PortalProcess = {
  readonly address: string
  readonly child: ChildProcess
  readonly pid: number
  /** Everything that it has printed so far, both streams. */
  output(): string
  /** Kills the process with SIGKILL, as a power failure would. */
  kill(): Promise<void>
  /** Stops it with SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts the standalone portal in its own process and waits until it is ready. */
export const startPortal = async (options: {
  readonly dataDir: string
  readonly port?: number
  readonly settings?: Environment
  /** The checkout that runs; default: this one. */
  readonly root?: string | undefined
  /** Start timeout; a long log must be projected first. */
  readonly startTimeoutMs?: number
}): Promise<PortalProcess> => {
  const port = options.port ?? (await freePort())
  const settings = { DATA_DIR: options.dataDir, PORT: String(port), ...options.settings }
  const root = options.root ?? repositoryRoot
  const { child, exited, output, end } = spawnProgram(join(root, 'services/standalone/src/main.ts'), settings, root)
  const pid = child.pid
  if (pid === undefined) throw new Error('the portal did not start')
  const address = `http://127.0.0.1:${port}`
  try {
    await Promise.race([
      waitUntilHealthy(address, options.startTimeoutMs),
      exited.then(([code]) => {
        throw new Error(`the portal ended with ${code} instead of starting:\n${output()}`)
      }),
    ])
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
  return {
    address,
    child,
    pid,
    output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

const waitUntilHealthy = async (address: string, timeoutMs = 60_000): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const healthy = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (healthy) return
    if (Date.now() > deadline) throw new Error(`${address} did not become healthy within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Polls until `probe` returns a value other than undefined and false, and returns it. Throws after the timeout. */
export const eventually = async <T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const seen = await probe()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const lineSchema = z.object({
  to: z.string(),
  subject: z.string().optional(),
  code: z.string().optional(),
  link: z.string().optional(),
})
type DevMailboxEntry = z.infer<typeof lineSchema>

/**
 * Messages that the portal of this data folder has sent, newest first. Read from the file, because /dev/outbox is not
 * available behind the balancer.
 */
export const readDevMailbox = async (dataDir: string): Promise<readonly DevMailboxEntry[]> => {
  const text = await readFile(join(dataDir, 'outbox.jsonl'), 'utf8').catch(() => '') // nothing has been sent yet
  // The last part is empty or an incomplete line.
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => lineSchema.parse(JSON.parse(line))).toReversed()
}
