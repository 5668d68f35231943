import type { PartitionDigest } from '../port.ts'
import type { Connection } from './connection.ts'
import { type NamespaceKeys, positionField } from './keys.ts'
import { listOf, textOf } from './replies.ts'
import { script } from './script.ts'

/**
 * KEYS: meta, rows. ARGV: field of the position. Three sums of 48 bits of each row's SHA-1, so that the order of the rows
 * does not matter; a sum of two such numbers is exact in a double.
 */
const digestScript = script(`
local a, b, c, documents, entries, cursor = 0, 0, 0, 0, 0, '0'
repeat
  local page = redis.call('HSCAN', KEYS[2], cursor, 'COUNT', 500)
  local rows = page[2]
  cursor = page[1]
  for i = 1, #rows, 2 do
    local hash = redis.sha1hex(#rows[i] .. ':' .. rows[i] .. rows[i + 1])
    a = (a + tonumber(string.sub(hash, 1, 12), 16)) % 281474976710656
    b = (b + tonumber(string.sub(hash, 13, 24), 16)) % 281474976710656
    c = (c + tonumber(string.sub(hash, 25, 36), 16)) % 281474976710656
    if string.byte(rows[i]) == 100 then documents = documents + 1 else entries = entries + 1 end
  end
until cursor == '0'
local position = redis.call('HGET', KEYS[1], ARGV[1])
return {position, documents, entries, string.format('%.0f-%.0f-%.0f', a, b, c)}
`)

export const prepareDigest =
  (connection: Connection, keys: NamespaceKeys) =>
  async (projection: string, partition: string): Promise<PartitionDigest> => {
    const { meta, rows } = keys.of(partition)
    const reply = listOf(await connection.run(digestScript, [meta, rows], [positionField(projection)]))
    return {
      position: textOf(reply[0]),
      documents: Number(reply[1]),
      entries: Number(reply[2]),
      checksum: textOf(reply[3]) ?? '',
    }
  }
