import type { PartitionDigest, PartitionRows } from '../port.ts'
import { listOf, readingScript, type Script, script, textOf, textsOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { DataLossGuard } from './data-loss-guard.ts'
import { type NamespaceKeys, positionField } from './keys.ts'

/** Reads every row of a partition as `row` and `text`. KEYS: meta, rows. ARGV: field of the position. Replies with the position first. */
const scanScript = (declarations: string, onRow: string, reply: string): Script =>
  readingScript(`
local sha1hex, sub, byte, call, cursor = redis.sha1hex, string.sub, string.byte, redis.call, '0'
${declarations}
repeat
  local page = call('HSCAN', KEYS[2], cursor, 'COUNT', 500)
  local found = page[2]
  cursor = page[1]
  for i = 1, #found, 2 do
    local row, text = found[i], found[i + 1]
    ${onRow}
  end
until cursor == '0'
return {call('HGET', KEYS[1], ARGV[1]), ${reply}}
`)

/**
 * The checksum is two sums of 52 bits of each row's SHA-1, so the order of the rows does not matter. A sum of two such numbers is exact in
 * a double. JSON has no NUL, so the last NUL separates the value.
 */
const digestScript = scanScript(
  'local a, b, documents, entries = 0, 0, 0, 0',
  `local hash = sha1hex(row .. '\\0' .. text)
    a = (a + tonumber(sub(hash, 1, 13), 16)) % 4503599627370496
    b = (b + tonumber(sub(hash, 14, 26), 16)) % 4503599627370496
    if byte(row) == 100 then documents = documents + 1 else entries = entries + 1 end`,
  "documents, entries, string.format('%.0f-%.0f', a, b)",
)

const rowsScript = scanScript(
  'local names, hashes = {}, {}',
  'names[#names + 1], hashes[#hashes + 1] = row, sha1hex(text)',
  'names, hashes',
)

export const prepareScans = (connection: Connection, keys: NamespaceKeys, guard: DataLossGuard) => {
  const scan = async (scanning: Script, projection: string, partition: string) => {
    await guard.beforeRead()
    const { meta, rows } = keys.of(partition)
    const [first, ...others] = listOf(await connection.run(scanning, [meta, rows], [positionField(projection)]))
    const position = textOf(first)
    if (position === undefined) await guard.confirmEmpty(partition)
    return { position, others }
  }
  return {
    digest: async (projection: string, partition: string): Promise<PartitionDigest> => {
      const { position, others } = await scan(digestScript, projection, partition)
      const [documents, entries, checksum] = others
      return { position, documents: Number(documents), entries: Number(entries), checksum: textOf(checksum) ?? '' }
    },
    rows: async (projection: string, partition: string): Promise<PartitionRows> => {
      const { position, others } = await scan(rowsScript, projection, partition)
      const [names, hashes] = others.map(textsOf)
      return { position, rows: new Map(names?.map((name, i) => [name ?? '', hashes?.[i] ?? ''])) }
    },
  }
}

/** The field keeps its recorded name. KEYS: marker. ARGV: epoch. */
const fenceScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'sealed', '1')
return 1
`)
const unfenceScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'sealed')
return 1
`)

/**
 * Marks the namespace first, then every announced partition. A writer announces a partition before it checks the namespace for a fence.
 * So every commit finds the mark of the namespace or of its partition.
 */
export const prepareFence = (
  connection: Connection,
  keys: NamespaceKeys,
  guard: DataLossGuard,
  announced: () => Promise<readonly string[]>,
) => {
  const mark = async (marking: typeof fenceScript): Promise<number> => {
    const during = await guard.beforeWrite()
    const marked = await connection.run(marking, [keys.marker], [guard.epoch], during)
    if (marked !== 1) throw guard.markEmptied('it is not the one that was opened')
    return during
  }
  const sendToAll = async (command: (meta: string) => readonly string[], during: number) => {
    const metas = (await announced()).map((partition) => keys.of(partition).meta)
    await Promise.all(metas.map((meta) => connection.send(meta, command(meta), during)))
  }
  return {
    async fence(): Promise<void> {
      const during = await mark(fenceScript)
      await sendToAll((meta) => ['HSET', meta, 'sealed', '1'], during)
    },
    async unfence(): Promise<void> {
      const during = await mark(unfenceScript)
      await sendToAll((meta) => ['HDEL', meta, 'sealed'], during)
    },
  }
}

const keysPerStep = '1000'

/** Removes the keys in short steps. The marker goes first, so that a process that still has the namespace open notices. */
export const dropNamespace = async (connection: Connection, keys: NamespaceKeys): Promise<void> => {
  await connection.send(keys.marker, ['UNLINK', keys.marker])
  for (const send of await connection.nodes()) {
    let cursor = '0'
    do {
      const [next, found] = listOf(await send(['SCAN', cursor, 'MATCH', keys.pattern, 'COUNT', keysPerStep]))
      cursor = textOf(next) ?? '0'
      // One command per key, because the keys of a node are in many slots. They are pipelined.
      await Promise.all(textsOf(found).map((key) => (key === undefined ? undefined : send(['UNLINK', key]))))
    } while (cursor !== '0')
  }
}
