import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))

test('every rule of the event store has a test, and every test its rule', async () => {
  const spec = await readFile(new URL('../../SPEC.md', import.meta.url), 'utf8')
  const rules = [...spec.matchAll(/\*\*(ES-\d+)\*\*/g)].map((match) => match[1])
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    /(-rules|-property|\.test)\.ts$/.test(file),
  )
  const sources = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')))
  const tested = sources.flatMap((source) =>
    [...source.matchAll(/test\(\s*'((?:ES-\d+ )+)/g)].flatMap((match) => match[1]?.trim().split(' ')),
  )
  expect([...new Set(tested)].toSorted()).toEqual(rules.toSorted())
  expect(new Set(rules).size).toBe(rules.length)
})
