import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Environment, inheritedEnvironment, repositoryRoot } from '../testing/portal-process.ts'
import type { FaultClock, Volume } from './clock-and-volume.ts'

/** A portal that a fault is tried on: six processes with their engines, or one. */
export type PortalUnderTest = {
  readonly address: string
  readonly dataDir: string
  /** For the row's own files. */
  readonly folder: string
  /** What commands need to be told to be about this portal, besides its data folder. */
  readonly settings: Environment
  /** Of the seeded learners. */
  readonly password: string
  /** Those that answer /health. */
  readonly processes: readonly { readonly name: string; readonly health: string }[]
  readonly volume: Volume | undefined
  readonly clock: FaultClock | undefined
  pidOf(name: string): Promise<number>
  /** Why it has ended by itself, in its own last words; undefined while it runs. */
  refusal(): string | undefined
  /** Starts it again where it has ended by itself. */
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

/** 'make replay P=inbox', as an operator of that portal enters it. */
export const runMake = async (portal: PortalUnderTest, command: string): Promise<CommandResult> => {
  const [program, ...args] = command.split(/\s+/)
  if (program !== 'make' || !args.every((arg) => word.test(arg))) throw new Error(`not a command of make: ${command}`)
  const inherited = inheritedEnvironment()
  // Nothing of the make that runs the trials.
  for (const name of ['MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'ROWS']) delete inherited[name]
  const startedAtMs = Date.now()
  // No packages are installed during a trial, whatever the times of the files say.
  const child = spawn('make', ['-o', 'node_modules/.package-lock.json', ...args], {
    cwd: repositoryRoot,
    env: {
      ...inherited,
      // No engines are up there: what is asked is the portal of the data folder, or of the addresses that are set.
      ENGINES_DIR: join(portal.folder, 'no-engines'),
      DATA_DIR: portal.dataDir,
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
