import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { checkAtMost, readModelLimits } from '../limits.ts'
import type { DocumentRef, Entry, Range } from '../port.ts'
import type { Lists } from './lists.ts'

type Row = Record<string, SQLOutputValue>

const textOf = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`Column ${column} of the read model holds ${typeof value}, not text`)
  return value
}

const entryOf = (row: Row): Entry => ({
  member: textOf(row, 'member'),
  score: Number(row['score']),
  value: JSON.parse(textOf(row, 'value')),
})

const columns = 'member, score, value FROM entries'

export const prepareRead = (db: DatabaseSync, lists: Lists) => {
  const document = db.prepare('SELECT value FROM documents WHERE partition = ? AND collection = ? AND key = ?')
  const oneEntry = db.prepare(`SELECT ${columns} WHERE member = ? AND list = ?`)
  const rangeWhere = 'WHERE list = ? AND score >= ? AND score <= ? ORDER BY score'
  const ranges = {
    ascending: db.prepare(`SELECT ${columns} ${rangeWhere} ASC LIMIT ?`),
    descending: db.prepare(`SELECT ${columns} ${rangeWhere} DESC LIMIT ?`),
  }

  const get = (ref: DocumentRef): unknown => {
    const row = document.get(ref.partition, ref.collection, ref.key)
    return row === undefined ? undefined : JSON.parse(textOf(row, 'value'))
  }

  const entry = (partition: string, list: string, member: string): Entry | undefined => {
    const id = lists.find(partition, list)
    if (id === undefined) return undefined
    const row = oneEntry.get(member, id)
    return row === undefined ? undefined : entryOf(row)
  }

  const range = (partition: string, list: string, { from, to, order, limit }: Range): readonly Entry[] => {
    checkAtMost(limit, readModelLimits.entriesPerRange, 'Range')
    const id = lists.find(partition, list)
    if (id === undefined) return []
    return ranges[order]
      .all(id, from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER, Math.max(0, limit))
      .map(entryOf)
  }

  return { get, entry, range }
}
