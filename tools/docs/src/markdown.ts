import { parsers } from 'prettier/plugins/markdown'
import { z } from 'zod'

/** The nodes of mdast that the checks look at; Prettier's parser is remark's. */
type Node = {
  readonly type: string
  readonly value?: string | undefined
  readonly url?: string | undefined
  readonly line: number
  readonly children: readonly Node[]
}

const nodeSchema: z.ZodType<Node> = z
  .object({
    type: z.string(),
    value: z.string().optional(),
    url: z.string().optional(),
    position: z.object({ start: z.object({ line: z.number() }) }),
    get children() {
      return z.array(nodeSchema).default([])
    },
  })
  .transform(({ position, ...node }) => ({ ...node, line: position.start.line }))

type Prose = { readonly line: number; readonly text: string; readonly inTable: boolean }
type Link = { readonly line: number; readonly url: string }
export type MarkdownFile = {
  readonly prose: readonly Prose[]
  readonly links: readonly Link[]
  /** What a link's fragment can name: headings as GitHub slugs them, and ids in HTML. */
  readonly anchors: ReadonlySet<string>
}

/** Code counts as one word, whatever it holds. */
const textOf = (node: Node): string => {
  if (node.type === 'inlineCode') return 'Code'
  if (node.type === 'html') return ' '
  return node.value ?? node.children.map(textOf).join('')
}

const headingTextOf = (node: Node): string =>
  node.type === 'html' ? '' : (node.value ?? node.children.map(headingTextOf).join(''))

const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

const descendants = (node: Node): readonly Node[] => [node, ...node.children.flatMap(descendants)]

/** GitHub numbers headings with the same slug: `usage`, `usage-1`. */
const slugsOf = (headings: readonly Node[]): readonly string[] => {
  const slugs = headings.map((heading) => slugOf(headingTextOf(heading)))
  return slugs.map((slug, index) => {
    const earlier = slugs.slice(0, index).filter((other) => other === slug).length
    return earlier === 0 ? slug : `${slug}-${earlier}`
  })
}

const attributes = (html: string, names: string): readonly string[] =>
  [...html.matchAll(new RegExp(`\\b(?:${names})="([^"]*)"`, 'g'))].map(([, value = '']) => value)

export const parseMarkdown = async (markdown: string): Promise<MarkdownFile> => {
  // The type demands all of Prettier's options; this parser reads none of them.
  const tree: unknown = await Reflect.apply(parsers.markdown.parse, parsers.markdown, [markdown, {}])
  const nodes = descendants(nodeSchema.parse(tree))
  const ofType = (...types: readonly string[]) => nodes.filter(({ type }) => types.includes(type))
  const html = ofType('html', 'jsx')
  return {
    prose: [
      ...ofType('paragraph', 'heading').map((node) => ({ line: node.line, text: textOf(node), inTable: false })),
      ...ofType('tableCell').map((node) => ({ line: node.line, text: textOf(node), inTable: true })),
    ],
    links: [
      ...ofType('link', 'image', 'definition').map(({ line, url = '' }) => ({ line, url })),
      ...html.flatMap(({ line, value = '' }) => attributes(value, 'href|src|srcset').map((url) => ({ line, url }))),
    ],
    anchors: new Set([
      ...slugsOf(ofType('heading')),
      ...html.flatMap(({ value = '' }) => attributes(value, 'id|name')),
    ]),
  }
}
