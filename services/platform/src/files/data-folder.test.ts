import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataFolder } from './data-folder.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterEach(() => rmSync(base, { recursive: true }))

/** Locks the folder in a separate process, which exits without releasing it. */
const takeElsewhere = (path: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { openDataFolder } = await import(${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)})
       try { openDataFolder(${JSON.stringify(path)}); process.kill(process.pid, 'SIGKILL') }
       catch (error) { console.log(error.message) }`,
    ],
    { encoding: 'utf8' },
  )

describe('the data folder', () => {
  it('is private to its owner, including parents', () => {
    const path = join(base, 'some', 'where')
    openDataFolder(path).release()
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })
  it('is locked by one process at a time', () => {
    const path = join(base, 'data')
    const folder = openDataFolder(path)
    expect(takeElsewhere(path).stdout.trim()).toBe(`The data folder ${path} is in use by another process`)
    expect(() => openDataFolder(path)).toThrow('is in use by another process')
    folder.release()
    expect(takeElsewhere(path).signal).toBe('SIGKILL')
    openDataFolder(path).release()
  })
  it('is rejected in one line if it is not writable', () => {
    const file = join(base, 'file')
    writeFileSync(file, '')
    for (const path of [join(file, 'data'), '/proc/nowhere/data']) {
      expect(() => openDataFolder(path)).toThrow(/^The data folder .* cannot be written \([^\n]+\)$/)
    }
    const occupied = join(base, 'occupied')
    openDataFolder(occupied).release()
    writeFileSync(join(occupied, 'lock.db'), 'not a database, but long enough to be read as one'.repeat(100))
    expect(() => openDataFolder(occupied)).toThrow(/^The data folder .* cannot be used \([^\n]+\)$/)
  })
})
