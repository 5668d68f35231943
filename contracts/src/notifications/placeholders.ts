/**
 * Placeholders in titles and messages, such as `{{name}}` or `{{name|learner}}`. A text is stored with them, and filled
 * for each reader. A `{{…}}` without a letter or digit is ordinary text.
 */

/** What each is filled with if the recipient has no value and the text no fallback of its own. */
const defaults = { name: 'learner', program: 'your program', code: '' } as const

export type PlaceholderName = keyof typeof defaults
export const placeholderNames = ['name', 'program', 'code'] as const satisfies readonly PlaceholderName[]

/** What a recipient has. */
export type PlaceholderValues = { readonly [Name in PlaceholderName]?: string | undefined }

/** Names and programs are shorter. Bounds what is filled in, whatever is stored. */
export const maxValueChars = 500

/** How a placeholder is written. */
export const placeholderOf = (name: PlaceholderName): string => `{{${name}}}`

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'placeholder'; readonly word: string; readonly fallback: string | undefined }

const braces = /\{\{([^{}]*)\}\}/gu
const hasWord = /[\p{L}\p{N}]/u

const partsOf = (text: string): readonly Part[] => {
  const parts: Part[] = []
  let from = 0
  for (const { 0: whole, 1: inner = '', index } of text.matchAll(braces)) {
    if (!hasWord.test(inner)) continue
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) })
    const bar = inner.indexOf('|')
    const [word, fallback] = bar < 0 ? [inner, undefined] : [inner.slice(0, bar), inner.slice(bar + 1).trim()]
    parts.push({ kind: 'placeholder', word: word.trim(), fallback })
    from = index + whole.length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

const nameOf = (word: string): PlaceholderName | undefined => placeholderNames.find((name) => name === word)

/** Whether a text has anything that is written like a placeholder. */
export const hasPlaceholder = (text: string): boolean =>
  partsOf(text).some((part) => part.kind === 'placeholder' || incompletePlaceholder(part.text) !== undefined)

/** Which placeholders a text has. */
export const placeholdersIn = (...texts: readonly string[]): ReadonlySet<PlaceholderName> =>
  new Set(
    texts.flatMap((text) => partsOf(text).flatMap((part) => (part.kind === 'text' ? [] : (nameOf(part.word) ?? [])))),
  )

/** The number of characters to insert, remove or replace to make one text of the other. */
const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherCharacter] of [...other].entries()) {
      const [above = 0, diagonal = 0, before = 0] = [row[column + 1], row[column], next[column]]
      next.push(Math.min(above + 1, before + 1, diagonal + (character === otherCharacter ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Does not leave half of a character. */
const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')

/** More edits make another word. */
const maxEdits = 2
/** A longer word is not compared, and is shortened in the message. */
const maxWordChars = 40

const nearestName = (word: string): PlaceholderName | undefined => {
  if (word.length > maxWordChars) return undefined
  let [nearest, fewest]: [PlaceholderName | undefined, number] = [undefined, maxEdits + 1]
  for (const name of placeholderNames) {
    const edits = editDistance(word.toLowerCase(), name)
    if (edits < fewest) [nearest, fewest] = [name, edits]
  }
  return nearest
}

const shortened = (word: string): string => (word.length <= maxWordChars ? word : `${cut(word, maxWordChars - 1)}…`)

/** A brace is missing, or the fallback has braces: recipients would read it as written. */
const incomplete = new RegExp(
  String.raw`\{\{\s*(${placeholderNames.join('|')})\b|\b(${placeholderNames.join('|')})\s*(?:\|[^{}]*)?\}\}`,
)

const incompletePlaceholder = (text: string): string | undefined => {
  const [, opened, closed] = incomplete.exec(text) ?? []
  const name = nameOf(opened ?? closed ?? '')
  return name && `Incomplete placeholder. Did you mean ${placeholderOf(name)}?`
}

/** Names the first unknown or incomplete placeholder of a text, with the known one that is meant. Undefined if there is none. */
export const wrongPlaceholder = (text: string): string | undefined => {
  for (const part of partsOf(text)) {
    if (part.kind === 'text') {
      const message = incompletePlaceholder(part.text)
      if (message) return message
      continue
    }
    if (nameOf(part.word)) continue
    const nearest = nearestName(part.word)
    const unknown = `Unknown placeholder {{${shortened(part.word)}}}.`
    return nearest ? `${unknown} Did you mean ${placeholderOf(nearest)}?` : unknown
  }
  return undefined
}

const trailingBlanks = /[^\S\n]+$/u
const leadingBlanks = /^[^\S\n]+/u
const endsClause = /^($|[\s.,;:!?)])/u

/** What a placeholder is filled with. */
const valueOf = ({ word, fallback }: Extract<Part, { kind: 'placeholder' }>, values: PlaceholderValues): string => {
  const name = nameOf(word)
  // Texts are checked when they are sent, so a name without a default is one of a later release.
  const value = name && values[name]?.trim()
  return cut(value || (fallback ?? (name ? defaults[name] : '')), maxValueChars)
}

/** Fills in a text. A placeholder without any value disappears together with the blanks that it would leave behind. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string => {
  const parts = partsOf(text)
  let filled = ''
  let skipsBlanks = false
  for (const [index, part] of parts.entries()) {
    const value = part.kind === 'text' ? part.text : valueOf(part, values)
    filled += skipsBlanks && part.kind === 'text' ? value.replace(leadingBlanks, '') : value
    skipsBlanks = false
    if (value !== '') continue
    const next = parts[index + 1]
    if (filled === '' || filled.endsWith('\n')) skipsBlanks = true
    else if (next === undefined || (next.kind === 'text' && endsClause.test(next.text)))
      filled = filled.replace(trailingBlanks, '')
  }
  return filled
}
