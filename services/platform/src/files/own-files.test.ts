import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { foreignFileIn } from './own-files.ts'

const own = process.getuid?.() ?? 0
const another = own + 1
const cannotWrite = () => false

const startFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('[C1] names a file of the portal that belongs to another user, and who may run the command', () => {
  const folder = startFolder()
  mkdirSync(join(folder, 'read-models'))
  writeFileSync(join(folder, 'read-models', 'inbox-main.db'), '')
  expect(foreignFileIn(folder, own)).toBeUndefined()
  expect(foreignFileIn(folder, another, cannotWrite)).toMatch(
    /^DATA_DIR: .*inbox-main\.db belongs to the user \S+, and this is .*\. Run it as that user, with the portal's settings \(docs\/operations\.md, "On one machine, for real"\)$/,
  )
})

it('accepts files that it may write, as in a volume of a group', () => {
  const folder = startFolder()
  writeFileSync(join(folder, 'events.db'), '')
  expect(foreignFileIn(folder, another, () => true)).toBeUndefined()
})

it('accepts keys that are mounted from a secret, and files that are not the portal’s', () => {
  const folder = startFolder()
  for (const name of ['session-keys.json', 'master.key', 'notes.txt']) writeFileSync(join(folder, name), '')
  expect(foreignFileIn(folder, another, cannotWrite)).toBeUndefined()
})

it('accepts a folder that does not exist yet', () => {
  expect(foreignFileIn('/nowhere', another, cannotWrite)).toBeUndefined()
})
