import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlitePathOf } from '../files/storage-urls.ts'
import type { PartitionRows } from '../generations/differing-rows.ts'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { listOf, openClient, textOf, textsOf } from '../read-model/redis/client.ts'
import { namespaceKeys, positionField } from '../read-model/redis/keys.ts'
import { documentRow, entryRow, entryText } from '../read-model/row-names.ts'

type Partition = {
  /** The address of the read models. */
  readonly url: string
  readonly namespace: string
  readonly projection: string
  readonly partition: string
}

const sha1 = (text: string): string => hash('sha1', text)

const rowsInFile = (file: string, { projection, partition }: Partition): PartitionRows => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    db.exec('BEGIN')
    const found = db
      .prepare('SELECT position FROM positions WHERE projection = ? AND partition = ?')
      .get(projection, partition)?.['position']
    const rows = new Map<string, string>()
    const documents = db.prepare('SELECT collection, key, value FROM documents WHERE partition = ?')
    for (const { collection, key, value } of documents.iterate(partition))
      rows.set(documentRow(String(collection), String(key)), sha1(String(value)))
    const entries = db.prepare(`
      SELECT list.name, entry.score, entry.member, entry.value
      FROM lists AS list JOIN entries AS entry ON entry.list = list.id
      WHERE list.partition = ?`)
    for (const { name, score, member, value } of entries.iterate(partition))
      rows.set(entryRow(String(name), String(member)), sha1(entryText(String(score), String(value))))
    return { position: typeof found === 'string' ? found : undefined, rows }
  } finally {
    db.close()
  }
}

/** KEYS: meta, rows. ARGV: field of the position. Replies with the position, and the name and SHA-1 of each row. */
const rowsScript = `
local rows, cursor = {}, '0'
repeat
  local page = redis.call('HSCAN', KEYS[2], cursor, 'COUNT', 500)
  cursor = page[1]
  for i = 1, #page[2], 2 do
    rows[#rows + 1] = page[2][i]
    rows[#rows + 1] = redis.sha1hex(page[2][i + 1])
  end
until cursor == '0'
return {redis.call('HGET', KEYS[1], ARGV[1]), rows}
`

const rowsInRedis = async ({ url, namespace, projection, partition }: Partition): Promise<PartitionRows> => {
  const address = parseRedisAddress(url)
  const ignore = () => undefined
  const client = openClient(address, { onError: ignore, onLost: ignore, onReady: ignore })
  try {
    await client.connect()
    const { meta, rows } = namespaceKeys(address.prefix, namespace).of(partition)
    const reply = listOf(await client.send(meta, ['EVAL', rowsScript, '2', meta, rows, positionField(projection)]))
    const names = textsOf(reply[1])
    const found = new Map<string, string>()
    for (let at = 0; at + 1 < names.length; at += 2) found.set(names[at] ?? '', names[at + 1] ?? '')
    return { position: textOf(reply[0]), rows: found }
  } finally {
    client.destroy()
  }
}

/** The rows of a partition with their checksums, for a comparison by operators. The checksums of two engines are the same. */
export const readRows = async (of: Partition): Promise<PartitionRows> => {
  const folder = sqlitePathOf(of.url)
  return folder === undefined ? rowsInRedis(of) : rowsInFile(join(folder, `${of.namespace}.db`), of)
}
