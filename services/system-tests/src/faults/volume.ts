import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NotRunHereError } from './not-run-here.ts'

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
