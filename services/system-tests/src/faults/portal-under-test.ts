import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Environment, inheritedEnvironment, repositoryRoot } from '../testing/portal-process.ts'
import type { FaultClock, Volume } from './clock-and-volume.ts'

/** A portal for fault injection: six processes with their engines, or one process. */
export type PortalUnderTest = {
  readonly address: string
  readonly dataDir: string
  /** Folder for files of the scenario. */
  readonly folder: string
  /** Settings that commands need to address this portal, besides DATA_DIR. */
  readonly settings: Environment
  /** Password of the seeded learners. */
  readonly password: string
  /** Processes that answer /health. */
  readonly processes: readonly { readonly name: string; readonly health: string }[]
  readonly volume: Volume | undefined
  readonly clock: FaultClock | undefined
  pidOf(name: string): Promise<number>
  /** Last line of a process that exited by itself; undefined while it runs. */
  refusal(): string | undefined
  /** Starts it again if it has exited by itself. */
  startAgain(): Promise<void>
  output(): string
  stop(): Promise<void>
}

export type PortalOptions = {
  readonly learners: number
  readonly volumeMb?: number | undefined
  readonly needsClock?: boolean | undefined
}

type CommandResult = { readonly code: number; readonly output: string; readonly seconds: number }

const word = /^[\w=.:,/-]+$/

/** Runs a command such as 'make replay P=inbox', as an operator of this portal would. */
export const runMake = async (portal: PortalUnderTest, command: string): Promise<CommandResult> => {
  const [program, ...args] = command.split(/\s+/)
  if (program !== 'make' || !args.every((arg) => word.test(arg))) throw new Error(`not a command of make: ${command}`)
  const inherited = inheritedEnvironment()
  // Removes variables of the make that runs the trials.
  for (const name of ['MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'ROWS']) delete inherited[name]
  const startedAtMs = Date.now()
  // Never installs packages during a trial, whatever the modification times.
  const child = spawn('make', ['-o', 'node_modules/.package-lock.json', ...args], {
    cwd: repositoryRoot,
    env: {
      ...inherited,
      // Points to a folder without engines, so that commands use DATA_DIR or the addresses in the settings.
      ENGINES_DIR: join(portal.folder, 'no-engines'),
      DATA_DIR: portal.dataDir,
      // Not that of the repository, which may hold backups of another portal.
      BACKUP_DIR: join(portal.dataDir, 'backups'),
      ...portal.settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  const [code]: unknown[] = await once(child, 'close')
  return {
    code: typeof code === 'number' ? code : -1,
    output: chunks.join(''),
    seconds: (Date.now() - startedAtMs) / 1_000,
  }
}
