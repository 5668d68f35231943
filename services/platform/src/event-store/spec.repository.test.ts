import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folders = [import.meta.dirname, join(import.meta.dirname, '../../testing/event-store')]

test('every rule of the event store has a test, and every test a rule', async () => {
  const spec = await readFile(new URL('../../SPEC.md', import.meta.url), 'utf8')
  const rules = [...spec.matchAll(/\*\*(ES-\d+)\*\*/g)].map((match) => match[1])
  const listed = await Promise.all(
    folders.map(async (folder) => (await readdir(folder, { recursive: true })).map((file) => join(folder, file))),
  )
  const files = listed.flat().filter((file) => /(-rules|-property|\.test)\.ts$/.test(file))
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const tested = sources.flatMap((source) =>
    [...source.matchAll(/test\(\s*'((?:ES-\d+ )+)/g)].flatMap((match) => match[1]?.trim().split(' ')),
  )
  expect([...new Set(tested)].toSorted()).toEqual(rules.toSorted())
  expect(new Set(rules).size).toBe(rules.length)
})
