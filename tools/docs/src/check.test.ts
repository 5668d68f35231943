import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkMarkdown } from './check.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

const check = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const root = mkdtempSync(join(tmpdir(), 'check-docs-'))
  folders.push(root)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const markdown = Object.keys(files).filter((file) => file.endsWith('.md'))
  return (await checkMarkdown(root, markdown)).map(({ file, line, message }) => `${file}:${line}: ${message}`)
}

test('accepts links to files, folders, headings and ids that exist, and to other hosts', async () => {
  expect(
    await check({
      'README.md':
        '# Read me\n\n[a](docs/a.md#the-first--the-code), [b](docs/), [c](#read-me), [d](https://x.test/y), [e](src/e.ts#L4)\n',
      'docs/a.md': '# The _first_ & `the code`\n\n## Twice\n\n## Twice\n\n[up](../README.md#read-me) [2](#twice-1)\n',
      'docs/b.md':
        '<a id="here"></a>\n\n[x](#here), <a href="a.md">a</a> and `[code](none.md)`\n\n```md\n[x](none.md)\n```\n',
      'src/e.ts': '',
    }),
  ).toEqual([])
})

test('finds links that lead nowhere, wherever they are', async () => {
  expect(
    await check({
      'README.md':
        '# A\n\n[a](none.md)\n\n![b](none.png)\n\n<img src="none.svg">\n\n[c](#none)\n\n| [d](docs/d.md#none) |\n| - |\n\n[e]: e.md\n[f](/a.md)\n',
      'docs/d.md': '# D\n',
    }),
  ).toEqual([
    'README.md:3: none.md leads to no file',
    'README.md:5: none.png leads to no file',
    'README.md:7: none.svg leads to no file',
    'README.md:9: #none leads to no heading',
    'README.md:11: docs/d.md#none leads to no heading',
    'README.md:14: e.md leads to no file',
    'README.md:15: /a.md is no relative link',
  ])
})

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

test('finds sentences of more than 25 words in the documents that readers begin with', async () => {
  const long = `Short. A${words(25)} more. B${words(24)} more.\n`
  expect(await check({ 'docs/a.md': long, 'web/other.md': long })).toEqual([
    expect.stringMatching(/^docs\/a\.md:1: a sentence of 26 words, at most 25: Aword0 word1 /),
  ])
})

test('counts code as one word, and parts of a cell by themselves', async () => {
  expect(
    await check({
      'docs/a.md': `It runs \`${words(40)}\` once.\n\n- ${words(20)}:\n  - ${words(20)}\n\n| a |\n| - |\n| ${words(20)}; ${words(20)} |\n`,
    }),
  ).toEqual([])
})
