import { limits } from '@portal/contracts/shared/rules'
import { stripInvisible } from '@portal/contracts/shared/typed-input'
import type { University } from '@portal/contracts/catalog/http'
import { rowsOf } from '../../lib/lists/rows.ts'

/** The server rejects names that look alike. */
const keyOf = (name: string): string =>
  stripInvisible(name.normalize('NFKC')).toLowerCase().replaceAll(/\s+/g, ' ').trim()

export type PastedNames = {
  readonly toAdd: readonly string[]
  /** Lines that name a university of the list, or repeat another line. */
  readonly known: number
  readonly tooLong: number
  /** Names for which the list has no room. */
  readonly noRoom: number
}

const bullet = /^\s*(?:[-–—*•·▪◦‣>]|\d{1,4}[.)]|[a-z]\))\s+/i
/** A quote that ends before its cell is part of a name. */
const quotedCell = /^\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/
const heading =
  /^(?:(?:list of|our|all|partner) )*(?:universit(?:y|ies)|institut(?:e|ion)s?|colleges?|names?)(?: names?)?:?$/i

/** The first column of a table, as text; a comma can be part of a name. */
const nameOf = (row: string): string => {
  const text = row.replace(bullet, '')
  const cell = quotedCell.exec(text)?.[1]?.replaceAll('""', '"') ?? text.split(/[\t;]/)[0] ?? ''
  return cell.replaceAll(/\s+/g, ' ').trim()
}

/**
 * The names in a pasted text, one a line; bullets, numbers, quotes of a table and a heading are no part of them. Undefined for a single
 * line, which is pasted as usual.
 */
export const readPastedNames = (text: string, universities: readonly University[]): PastedNames | undefined => {
  const rows = rowsOf(text)
    .map(nameOf)
    .filter((name) => keyOf(name) !== '')
  const names = heading.test(rows[0] ?? '') ? rows.slice(1) : rows
  if (rows.length < 2) return undefined
  const keys = new Set(universities.map(({ name }) => keyOf(name)))
  const fitting = names.filter((name) => name.length <= limits.nameChars)
  const fresh = fitting.filter((name) => {
    const isNew = !keys.has(keyOf(name))
    keys.add(keyOf(name))
    return isNew
  })
  const toAdd = fresh.slice(0, Math.max(0, limits.universities - universities.length))
  return {
    toAdd,
    known: fitting.length - fresh.length,
    tooLong: names.length - fitting.length,
    noRoom: fresh.length - toAdd.length,
  }
}
