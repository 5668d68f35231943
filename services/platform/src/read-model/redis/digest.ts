import type { PartitionDigest } from '../port.ts'
import type { Connection } from './connection.ts'
import type { Continuity } from './continuity.ts'
import { type NamespaceKeys, positionField } from './keys.ts'
import { listOf, textOf } from './decode-replies.ts'
import { readingScript } from './script.ts'

/**
 * KEYS: meta, rows. ARGV: field of the position. Two sums of 52 bits of each row's SHA-1, so that the order of the rows does not
 * matter; a sum of two such numbers is exact in a double. JSON has no NUL, so the last one is where the value begins.
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
  (connection: Connection, keys: NamespaceKeys, continuity: Continuity) =>
  async (projection: string, partition: string): Promise<PartitionDigest> => {
    await continuity.beforeRead()
    const { meta, rows } = keys.of(partition)
    const reply = listOf(await connection.run(digestScript, [meta, rows], [positionField(projection)]))
    const position = textOf(reply[0])
    if (position === undefined) await continuity.confirmEmpty(partition)
    return {
      position,
      documents: Number(reply[1]),
      entries: Number(reply[2]),
      checksum: textOf(reply[3]) ?? '',
    }
  }
