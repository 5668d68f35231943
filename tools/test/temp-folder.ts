import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
/** `make test` uses some 120 MB of it. The rest is for `make verify`, and for Chromium's shared memory. */
const roomNeededBytes = 4 * 2 ** 30

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize >= roomNeededBytes
  } catch {
    return false // not Linux
  }
}

/**
 * Makes this process and those it starts keep temporary files in one folder, removed when it exits. Where there is room it lies in
 * memory: on a disk, each test of a service waits for its commits to be synced.
 */
export const useTempFolder = (): void => {
  const folder = mkdtempSync(join(hasRoom() ? memoryFolder : tmpdir(), 'portal-tests-'))
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
