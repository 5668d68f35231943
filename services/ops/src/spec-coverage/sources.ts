import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SourceFile = { readonly path: string; readonly text: string }

/** Source text as a reader sees it: without escapes (of regular expressions, too) and entities, in single spaces. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\\(['"`.?()])/g, '$1')
    .replaceAll(/&apos;|&#39;|’|‘/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\{'\s*'\}/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The titles of tests and of the groups that they are in: `it('...', `, and `it.each([...])('...', `. */
export const titlesIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\b(?:it|test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,/g)].map(([, , title = '']) =>
    plain(title),
  )

/** A title may stand behind that of its group: `logging in › takes the address in any case`. */
export const hasTitle = (source: string, title: string): boolean => {
  const titles = titlesIn(source)
  return title.split('›').every((part) => titles.some((one) => one.includes(plain(part).trim())))
}

export const isTest = ({ path }: SourceFile): boolean => /\.test\.tsx?$/.test(path)

const patterns = ['contracts/src/**/*.ts', 'services/*/src/**/*.ts', 'web/{src,e2e}/**/*.{ts,tsx}']

/** The sources and tests of contracts, services and client, without the samples in this folder's own test. */
export const readSources = (root: string): readonly SourceFile[] =>
  globSync(patterns, { cwd: root, exclude: ['services/ops/src/spec-coverage/*'] }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))
