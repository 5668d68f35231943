import type { PartitionDigest } from '../port.ts'
import { listOf, readingScript, script, textOf, textsOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { DataLossGuard } from './data-loss-guard.ts'
import { type NamespaceKeys, positionField } from './keys.ts'

/**
 * KEYS: meta, rows. ARGV: field of the position. The checksum is two sums of 52 bits of each row's SHA-1, so the order of the rows does
 * not matter. A sum of two such numbers is exact in a double. JSON has no NUL, so the last NUL separates the value.
 */
const digestScript = readingScript(`
local sha1hex, sub, byte, call = redis.sha1hex, string.sub, string.byte, redis.call
local a, b, documents, entries, cursor = 0, 0, 0, 0, '0'
repeat
  local page = call('HSCAN', KEYS[2], cursor, 'COUNT', 500)
  local rows = page[2]
  cursor = page[1]
  for i = 1, #rows, 2 do
    local hash = sha1hex(rows[i] .. '\\0' .. rows[i + 1])
    a = (a + tonumber(sub(hash, 1, 13), 16)) % 4503599627370496
    b = (b + tonumber(sub(hash, 14, 26), 16)) % 4503599627370496
    if byte(rows[i]) == 100 then documents = documents + 1 else entries = entries + 1 end
  end
until cursor == '0'
return {call('HGET', KEYS[1], ARGV[1]), documents, entries, string.format('%.0f-%.0f', a, b)}
`)

export const prepareDigest =
  (connection: Connection, keys: NamespaceKeys, guard: DataLossGuard) =>
  async (projection: string, partition: string): Promise<PartitionDigest> => {
    await guard.beforeRead()
    const { meta, rows } = keys.of(partition)
    const reply = listOf(await connection.run(digestScript, [meta, rows], [positionField(projection)]))
    const position = textOf(reply[0])
    if (position === undefined) await guard.confirmEmpty(partition)
    return {
      position,
      documents: Number(reply[1]),
      entries: Number(reply[2]),
      checksum: textOf(reply[3]) ?? '',
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
