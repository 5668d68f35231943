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

/** Offset of the clock of a process, from its Date header. */
const clockOffsetMs = async (address: string): Promise<number> => {
  const { headers } = await fetch(address, { signal: AbortSignal.timeout(5_000) })
  return Date.parse(headers.get('date') ?? '') - Date.now()
}

/** Rejects if the clock did not move: a scenario without a fault must not count as passed. */
export const expectShifted = async (address: string): Promise<void> => {
  const offset = Math.abs(await clockOffsetMs(address))
  if (!(offset > dayMs / 2)) throw new NotRunHereError(`libfaketime does not move the clock here (${offset} ms)`)
}

export type FaultClock = {
  /** Environment of the processes whose clock is to be moved. */
  readonly settings: Environment
  /** Sets the offset ('+1d', '-1d', '+0') of the process with this PROCESS_NAME. Takes effect within a second. */
  set(processName: string, offset: string): Promise<void>
}

/** libfaketime reads the clock of each process from a file named after it. */
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
      // Only the wall clock is wrong; timers keep running correctly.
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

/** A small file system that can be filled. */
export type Volume = {
  readonly path: string
  /** Fills the volume to the last byte. Call it repeatedly, because deleted files leave room. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

/** An image file mounted as ext4, as on a server. Needs root and a loop device. */
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
        await file.sync().catch(() => undefined) // the volume is full, as intended
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
