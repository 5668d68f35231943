import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { checkAtMost, readModelLimits } from '../limits.ts'
import type { DocumentRef, Entry, Range } from '../port.ts'
import { UnreadableRow } from './damage.ts'
import type { Lists } from './lists.ts'

type Row = Record<string, SQLOutputValue>

const textOf = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string')
    throw new UnreadableRow(`Column ${column} of the read model holds ${typeof value}, not text`)
  return value
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableRow('A row of the read model does not hold JSON', { cause: error })
  }
}

const valueOf = (row: Row | undefined): unknown =>
  row === undefined || row['value'] === null ? undefined : jsonOf(textOf(row, 'value'))

const entryOf = (row: Row): Entry => ({
  member: textOf(row, 'member'),
  score: Number(row['score']),
  value: valueOf(row),
})

/** From this number on, one joined query costs less than a query each. */
const minForJoin = 3

const prepareDocuments = (db: DatabaseSync) => {
  const one = db.prepare('SELECT value FROM documents WHERE partition = ? AND collection = ? AND key = ?')
  const many = db.prepare(`
    SELECT document.value FROM json_each(?) AS wanted LEFT JOIN documents AS document
      ON document.partition = ? AND document.collection = ? AND document.key = wanted.value`)

  const get = ({ partition, collection, key }: DocumentRef): unknown => valueOf(one.get(partition, collection, key))

  const fill = (found: unknown[], refs: readonly DocumentRef[], indexes: readonly number[]) => {
    const wanted = indexes.flatMap((index) => refs[index] ?? [])
    const first = wanted[0]
    if (first === undefined) return
    const values =
      wanted.length < minForJoin
        ? wanted.map(get)
        : many.all(JSON.stringify(wanted.map(({ key }) => key)), first.partition, first.collection).map(valueOf)
    for (const [position, index] of indexes.entries()) found[index] = values[position]
  }

  const getMany = (refs: readonly DocumentRef[]): readonly unknown[] => {
    checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
    const found: unknown[] = Array.from({ length: refs.length })
    const groups = Map.groupBy(refs.keys(), (index) => {
      const { partition = '', collection = '' } = refs[index] ?? {}
      return `${partition.length}:${partition}${collection}`
    })
    for (const group of groups.values()) fill(found, refs, group)
    return found
  }

  return { get, getMany }
}

const prepareEntries = (db: DatabaseSync, lists: Lists) => {
  const one = db.prepare('SELECT member, score, value FROM entries WHERE member = ? AND list = ?')
  const many = db.prepare(`
    SELECT entry.member, entry.score, entry.value FROM json_each(?) AS wanted LEFT JOIN entries AS entry
      ON entry.member = wanted.value ->> 1 AND entry.list = wanted.value ->> 0`)
  const between = 'SELECT member, score, value FROM entries WHERE list = ? AND score >= ? AND score <= ?'
  const ranges = {
    ascending: db.prepare(`${between} ORDER BY score ASC LIMIT ?`),
    descending: db.prepare(`${between} ORDER BY score DESC LIMIT ?`),
  }

  const entry = (partition: string, list: string, member: string): Entry | undefined => {
    const id = lists.find(partition, list)
    const row = id === undefined ? undefined : one.get(member, id)
    return row && entryOf(row)
  }

  const entries = (
    partition: string,
    wanted: readonly { readonly list: string; readonly member: string }[],
  ): readonly (Entry | undefined)[] => {
    checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
    if (wanted.length < minForJoin) return wanted.map(({ list, member }) => entry(partition, list, member))
    const pairs = wanted.map(({ list, member }) => [lists.find(partition, list) ?? null, member])
    return many.all(JSON.stringify(pairs)).map((row) => (row['member'] === null ? undefined : entryOf(row)))
  }

  const range = (partition: string, list: string, { from, to, order, limit }: Range): readonly Entry[] => {
    checkAtMost(limit, readModelLimits.entriesPerRange, 'Range')
    const id = lists.find(partition, list)
    if (id === undefined || limit <= 0) return []
    const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number
    return ranges[order].all(id, from ?? MIN_SAFE_INTEGER, to ?? MAX_SAFE_INTEGER, limit).map(entryOf)
  }

  return { entry, entries, range }
}

export const prepareRead = (db: DatabaseSync, lists: Lists) => ({
  ...prepareDocuments(db),
  ...prepareEntries(db, lists),
})
