import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Environment } from '../testing/portal-process.ts'

/** This machine cannot produce the fault. */
export class NotRunHereError extends Error {
  override readonly name = 'NotRunHereError'
}

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const preload = join(import.meta.dirname, 'fake-clock-preload.ts')

const dayMs = 24 * 3_600_000

/** How far the clock of the process that answers there is ahead, by its Date header. */
const clockOffsetMs = async (address: string): Promise<number> => {
  const { headers } = await fetch(address, { signal: AbortSignal.timeout(5_000) })
  return Date.parse(headers.get('date') ?? '') - Date.now()
}

/** Rejects where the process kept its time: a row that shows nothing must not look like one that has shown something. */
export const expectShifted = async (address: string): Promise<void> => {
  const offset = Math.abs(await clockOffsetMs(address))
  if (!(offset > dayMs / 2)) throw new NotRunHereError(`libfaketime does not move the clock here (${offset} ms)`)
}

export type FaultClock = {
  /** For the processes whose clock is to be moved. */
  readonly settings: Environment
  /** '+1d', '-1d', '+0'; of the process with that PROCESS_NAME. Takes effect within a second. */
  set(processName: string, offset: string): Promise<void>
}

/** libfaketime reads the time of each process from a file that is named after the process. */
export const prepareClock = async (folder: string, processNames: readonly string[]): Promise<FaultClock> => {
  if (!existsSync(library)) throw new NotRunHereError('libfaketime is not installed (apt-get install faketime)')
  const clocks = join(folder, 'clocks')
  await mkdir(clocks, { recursive: true })
  const set = (processName: string, offset: string) => writeFile(join(clocks, processName), `${offset}\n`)
  await Promise.all([...processNames, 'portal'].map((name) => set(name, '+0')))
  return {
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: join(clocks, 'portal'),
      FAKETIME_CACHE_DURATION: '1',
      // Timers keep their pace: it is the wall clock that is wrong.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAULT_CLOCKS: clocks,
      NODE_OPTIONS: `--import=${preload}`,
    },
    set,
  }
}

const run = promisify(execFile)
const chunk = Buffer.alloc(64 * 1024)

/** A small disk of its own, which can be filled. */
export type Volume = {
  readonly path: string
  /** Until not one byte more can be written. Repeat it: what is deleted meanwhile leaves room. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

/** In a file of the temporary folder, mounted as ext4 as on a server. That takes root and a loop device. */
export const makeVolume = async (folder: string, sizeMb: number): Promise<Volume> => {
  const image = join(folder, 'volume.img')
  const path = join(folder, 'volume')
  const ballast = join(path, 'ballast')
  await mkdir(path, { recursive: true })
  try {
    await run('truncate', ['-s', `${sizeMb}M`, image])
    await run('mkfs.ext4', ['-q', '-b', '4096', '-m', '0', image])
    await run('mount', ['-o', 'loop', image, path])
  } catch (cause) {
    throw new NotRunHereError('a volume cannot be mounted here (root and a loop device are needed)', { cause })
  }
  return {
    path,
    fill: async () => {
      const file = await open(ballast, 'a')
      try {
        for (let bytes = chunk.length; bytes >= 1;) {
          try {
            await file.write(chunk, 0, bytes)
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
            bytes = Math.floor(bytes / 2)
          }
        }
        await file.sync().catch(() => undefined) // full is what it is to be
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    remove: async () => {
      await run('umount', ['-l', path])
      await rm(image, { force: true })
    },
  }
}
