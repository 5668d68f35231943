import { checkAtMost, readModelLimits } from '../limits.ts'
import type { DocumentRef, Entry, ReadStore } from '../port.ts'
import { documentRow, entryRow, entryRowsOf } from '../row-names.ts'
import { readingScript, textOf, textsOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { DataLossGuard } from './data-loss-guard.ts'
import type { NamespaceKeys } from './keys.ts'

/**
 * KEYS: list, rows. ARGV: command, from, to, limit, prefix of the list's rows. Returns members and rows alternately. One script, because a
 * commit between two commands could delete a member's row.
 */
const rangeScript = readingScript(`
local members = redis.call(ARGV[1], KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
if #members == 0 then return {} end
local rows = {}
for i = 1, #members do rows[i] = ARGV[5] .. members[i] end
rows = redis.call('HMGET', KEYS[2], unpack(rows))
local found = {}
for i = 1, #members do
  found[2 * i - 1] = members[i]
  found[2 * i] = rows[i]
end
return found
`)

const valueOf = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

/** The row of an entry is its score, a space, and its value. */
const entryOf = (member: string, row: string | undefined): Entry | undefined => {
  if (row === undefined) return undefined
  const space = row.indexOf(' ')
  return { member, score: Number(row.slice(0, space)), value: JSON.parse(row.slice(space + 1)) }
}

const bound = (score: number | undefined, open: string): string => (score === undefined ? open : String(score))

/** Before a read returns that something is missing, it confirms that the partition has not lost its data. */
export const prepareRead = (
  connection: Connection,
  keys: NamespaceKeys,
  guard: DataLossGuard,
): Omit<ReadStore, 'epoch' | 'lineage'> => {
  const rowOf = async (partition: string, row: string): Promise<string | undefined> => {
    const waiting = guard.beforeRead()
    if (waiting !== undefined) await waiting
    const key = keys.of(partition).rows
    const found = textOf(await connection.send(key, ['HGET', key, row]))
    if (found === undefined) await guard.confirmEmpty(partition)
    return found
  }

  const rowsOf = async (partition: string, rows: readonly string[]): Promise<readonly (string | undefined)[]> => {
    if (rows.length === 0) return []
    const waiting = guard.beforeRead()
    if (waiting !== undefined) await waiting
    const key = keys.of(partition).rows
    const found = textsOf(await connection.send(key, ['HMGET', key, ...rows]))
    if (found.includes(undefined)) await guard.confirmEmpty(partition)
    return found
  }

  return {
    async get({ partition, collection, key }) {
      return valueOf(await rowOf(partition, documentRow(collection, key)))
    },
    async getMany(refs) {
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      const found: unknown[] = Array.from({ length: refs.length })
      const groups = Map.groupBy(refs.entries(), ([, { partition }]) => partition)
      const fill = async ([partition, group]: readonly [string, readonly [number, DocumentRef][]]) => {
        const texts = await rowsOf(
          partition,
          group.map(([, { collection, key }]) => documentRow(collection, key)),
        )
        for (const [index, [position]] of group.entries()) found[position] = valueOf(texts[index])
      }
      await Promise.all([...groups].map(fill))
      return found
    },
    async entry(partition, list, member) {
      return entryOf(member, await rowOf(partition, entryRow(list, member)))
    },
    async entries(partition, wanted) {
      checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
      const texts = await rowsOf(
        partition,
        wanted.map(({ list, member }) => entryRow(list, member)),
      )
      return wanted.map(({ member }, index) => entryOf(member, texts[index]))
    },
    async range(partition, list, { from, to, order, limit }) {
      checkAtMost(limit, readModelLimits.entriesPerRange, 'Range')
      if (limit <= 0) return []
      const waiting = guard.beforeRead()
      if (waiting !== undefined) await waiting
      const partitionKeys = keys.of(partition)
      const [low, high] = [bound(from, '-inf'), bound(to, '+inf')]
      const bounds = order === 'ascending' ? ['ZRANGEBYSCORE', low, high] : ['ZREVRANGEBYSCORE', high, low]
      const found = textsOf(
        await connection.run(
          rangeScript,
          [partitionKeys.list(list), partitionKeys.rows],
          [...bounds, String(limit), entryRowsOf(list)],
        ),
      )
      if (found.length === 0) await guard.confirmEmpty(partition)
      const entries: Entry[] = []
      for (let index = 0; index < found.length; index += 2) {
        const entry = entryOf(found[index] ?? '', found[index + 1])
        if (entry !== undefined) entries.push(entry)
      }
      return entries
    },
  }
}
