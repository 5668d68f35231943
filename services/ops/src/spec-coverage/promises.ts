import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SourceFile = { readonly path: string; readonly text: string }

/** Normalizes source text: without escapes and entities, with single spaces. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\(['"`.?()])/g, '$1')
    .replaceAll(/&apos;|&#39;|’|‘/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\{'\s*'\}/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The titles of tests and their groups: `it('...', `, and `it.each([...])('...', `. */
const titlesIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\b(?:it|test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,/g)].map(([, , title = '']) =>
    plain(title),
  )

const isTest = ({ path }: SourceFile): boolean => /\.test\.tsx?$/.test(path)

const patterns = ['contracts/src/**/*.ts', 'services/*/src/**/*.ts', 'web/{src,e2e}/**/*.{ts,tsx}']

/** The sources and tests of contracts, services and client, without the samples in this folder's test. */
export const readSources = (root: string): readonly SourceFile[] =>
  globSync(patterns, { cwd: root, exclude: ['services/ops/src/spec-coverage/*'] }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))

/** A line of `web/promises.md`: `- N-3: “Mark all as read”, where any is unread`. */
type Promised = {
  readonly id: string
  readonly what: string
  /** The texts in “quotes”. */
  readonly texts: readonly string[]
}

/** A test whose title begins with ids: `[N-3 N-14] marks all as read`. */
type PromiseTest = { readonly file: SourceFile; readonly title: string; readonly ids: readonly string[] }

export const parsePromises = (markdown: string): readonly Promised[] =>
  [...markdown.matchAll(/^- ([A-Z]-\d+): (.+)$/gm)].map(([, id = '', what = '']) => ({
    id,
    what,
    texts: [...what.matchAll(/“([^”]+)”/g)].map(([, quoted = '']) => quoted),
  }))

const promiseTests = (files: readonly SourceFile[]): readonly PromiseTest[] =>
  files.filter(isTest).flatMap((file) =>
    titlesIn(file.text).flatMap((whole) => {
      const [, ids, title = ''] = /^\[([A-Z]-\d+(?: [A-Z]-\d+)*)\] (.+)$/.exec(whole) ?? []
      return ids === undefined ? [] : [{ file, title, ids: ids.split(' ') }]
    }),
  )

/** The fixed parts of a text: `Pay ₹{fee} & Register Now` has two. */
const fixedParts = (text: string): readonly string[] =>
  text
    .split(/\{[^}]*\}/)
    .map((part) => plain(part).trim())
    .filter((part) => part !== '')

const missingTexts = (texts: readonly string[], source: string): readonly string[] =>
  texts.filter((text) => !fixedParts(text).every((part) => source.includes(part)))

const joined = (files: readonly SourceFile[]): string => plain(files.map(({ text }) => text).join('\n'))

const isProductSource = (file: SourceFile): boolean =>
  !isTest(file) && /^(contracts|web)\/src\/(?!testing\/)/.test(file.path)

const duplicates = (ids: readonly string[]): readonly string[] => ids.filter((id, i) => ids.indexOf(id) !== i)

/** Describes the problems of the promises and their tests. */
export const checkPromises = (promises: readonly Promised[], files: readonly SourceFile[]): readonly string[] => {
  const tests = promiseTests(files)
  const known = new Set(promises.map(({ id }) => id))
  const product = joined(files.filter(isProductSource))
  const problemsOf = ({ id, texts }: Promised): readonly string[] => {
    const ownTests = tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file)
    if (ownTests.length === 0) return [`${id} has no test`]
    return [
      ...missingTexts(texts, product).map((text) => `${id}: “${text}” is in no source`),
      ...missingTexts(texts, joined(ownTests)).map((text) => `${id}: “${text}” is in none of its tests`),
    ]
  }
  return [
    ...duplicates(promises.map(({ id }) => id)).map((id) => `${id} is the id of two promises`),
    ...promises.flatMap(problemsOf),
    ...tests.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file.path} › ${title}: ${id} is not in web/promises.md`),
    ),
  ]
}

/** Each promise with its tests, one line each. */
export const promiseTable = (promises: readonly Promised[], files: readonly SourceFile[]): readonly string[] => {
  const tests = promiseTests(files)
  return promises.flatMap(({ id, what }) => [
    `${id}  ${what}`,
    ...tests.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => `      ${file.path} › ${title}`),
  ])
}

/** The quoted texts of a specification: texts of the product, and some values and formats. */
export const quotedTexts = (specification: string): readonly string[] => {
  const quotes = specification.matchAll(/"([^"\n]+)"|(?<![A-Za-z0-9])'([^'\n]+)'(?![A-Za-z0-9])/g)
  return [...new Set([...quotes].map(([, double, single]) => double ?? single ?? ''))]
}

/** Removes the braces of variable parts, which the specification often omits: `“{Program name} is required”`. */
const withoutBraces = (text: string): string => plain(text).replaceAll(/[{}]/g, '')

/** Looks for the whole text in “quotes” or 'quotes'; for a shortened one, '... one digit', only for its ending. */
const isMentioned = (text: string, promises: readonly Promised[]): boolean => {
  const [, ending] = /^\.\.\. (.+)$/.exec(text) ?? []
  const wanted = withoutBraces(ending ?? text)
  return promises.some(
    ({ what, texts }) =>
      plain(what).includes(`'${wanted}'`) ||
      texts.map(withoutBraces).some((one) => (ending === undefined ? one === wanted : one.endsWith(wanted))),
  )
}

/** Quoted texts of the specification that no promise mentions. */
export const unmentioned = (texts: readonly string[], promises: readonly Promised[]): readonly string[] =>
  texts.filter((text) => !text.split(' / ').every((part) => isMentioned(part, promises)))
