import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type MarkdownFile, parseMarkdown } from './markdown.ts'

type Problem = { readonly file: string; readonly line: number; readonly message: string }

const maxWordsInSentence = 25

/** Documents whose sentences are short: what a reader of the repository reads first. */
const isProse = (file: string): boolean =>
  /^(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/|^services\/platform\/SPEC\.md$/.test(file)

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** A table's cell often is a list, whose entries end with semicolons. */
const sentencesOf = ({ text, inTable }: { text: string; inTable: boolean }): readonly string[] =>
  [...sentences.segment(text.replaceAll(/\s+/g, ' '))].flatMap(({ segment }) =>
    inTable ? segment.split(';') : [segment],
  )

const countWords = (sentence: string): number => sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const longSentences = (document: MarkdownFile): readonly Omit<Problem, 'file'>[] =>
  document.prose.flatMap((prose) =>
    sentencesOf(prose)
      .filter((sentence) => countWords(sentence) > maxWordsInSentence)
      .map((sentence) => ({
        line: prose.line,
        message: `a sentence of ${countWords(sentence)} words, at most ${maxWordsInSentence}: ${sentence.trim().slice(0, 60)}…`,
      })),
  )

const isElsewhere = (url: string): boolean => /^[a-z][a-z\d+.-]*:|^\/\//i.test(url)

/**
 * Checks the Markdown files of a folder: relative links lead to a file and, where they name one, to a heading; sentences are short.
 * @param files their paths from the folder
 */
export const checkMarkdown = async (root: string, files: readonly string[]): Promise<readonly Problem[]> => {
  const parsed = await Promise.all(
    files.map(async (file) => [file, await parseMarkdown(await readFile(join(root, file), 'utf8'))] as const),
  )
  const documents = new Map(parsed)

  const problemOfLink = (file: string, url: string): string | undefined => {
    if (isElsewhere(url)) return undefined
    if (url.startsWith('/')) return `${url} is no relative link`
    const [path = '', fragment] = decodeURIComponent(url).split('#')
    const target = path === '' ? file : relative(root, join(root, dirname(file), path))
    if (!existsSync(join(root, target))) return `${url} leads to no file`
    const document = documents.get(target)
    return fragment && document && !document.anchors.has(fragment) ? `${url} leads to no heading` : undefined
  }

  return parsed.flatMap(([file, document]) =>
    [
      ...document.links.flatMap(({ line, url }) => {
        const message = problemOfLink(file, url)
        return message === undefined ? [] : [{ file, line, message }]
      }),
      ...(isProse(file) ? longSentences(document).map((problem) => ({ file, ...problem })) : []),
    ].toSorted((one, other) => one.line - other.line),
  )
}
