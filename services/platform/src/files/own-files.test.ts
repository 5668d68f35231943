import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { foreignFileIn } from './own-files.ts'

const own = process.getuid?.() ?? 0
const another = own + 1

const startFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('[C1] names a file of the portal that belongs to another user, and who may run the command', () => {
  const folder = startFolder()
  mkdirSync(join(folder, 'read-models'))
  writeFileSync(join(folder, 'read-models', 'inbox-main.db'), '')
  const data = { setting: 'DATA_DIR', path: folder } as const
  expect(foreignFileIn(data, own)).toBeUndefined()
  expect(foreignFileIn(data, another)).toMatch(
    /^DATA_DIR: .*inbox-main\.db belongs to the user \S+, and this is .*\. Run it as that user: sudo -u \S+ make …$/,
  )
})

it('[C1] looks at the backups in a folder of backups, and at no file that is not the portal’s', () => {
  const folder = startFolder()
  const backups = { setting: 'BACKUP_DIR', path: folder } as const
  writeFileSync(join(folder, 'notes.txt'), '')
  expect(foreignFileIn(backups, another)).toBeUndefined()
  writeFileSync(join(folder, 'portal-20261122t190838.backup'), '')
  expect(foreignFileIn(backups, another)).toContain('BACKUP_DIR: ')
})

it('accepts a folder that does not exist yet', () => {
  expect(foreignFileIn({ setting: 'DATA_DIR', path: '/nowhere' }, another)).toBeUndefined()
})
