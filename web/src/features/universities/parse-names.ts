import { limits, stripInvisible } from '@portal/contracts/shared/rules'
import type { University } from '@portal/contracts/catalog/http'

/** The server rejects names that look alike. */
const keyOf = (name: string): string =>
  stripInvisible(name.normalize('NFKC')).toLowerCase().replaceAll(/\s+/g, ' ').trim()

export type PastedNames = {
  readonly toAdd: readonly string[]
  /** Lines that name a university of the list, or repeat another line. */
  readonly known: number
  readonly tooLong: number
}

/** The names in a pasted text, one a line. Undefined for a single line, which is pasted as usual. */
export const readPastedNames = (text: string, universities: readonly University[]): PastedNames | undefined => {
  // Only the first column of a table.
  const names = text.split(/\r?\n|\r/).map((line) => (line.split('\t')[0] ?? '').trim())
  const lines = names.filter((name) => keyOf(name) !== '').slice(0, limits.universities)
  if (lines.length < 2) return undefined
  const keys = new Set(universities.map(({ name }) => keyOf(name)))
  const fitting = lines.filter((name) => name.length <= limits.nameChars)
  const toAdd = fitting.filter((name) => {
    const isNew = !keys.has(keyOf(name))
    keys.add(keyOf(name))
    return isNew
  })
  return { toAdd, known: fitting.length - toAdd.length, tooLong: lines.length - fitting.length }
}
