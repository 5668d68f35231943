import type { Connection } from './connection.ts'
import type { Enrolment } from './enrolment.ts'
import { type NamespaceKeys, positionField } from './keys.ts'
import { listOf, mapOf, textOf, textsOf } from './replies.ts'
import { script } from './script.ts'

/** KEYS: marker, cursors. ARGV: epoch, bus partition, cursor. */
const saveCursorScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1
`)

/** The two kinds of progress, positions and cursors, and where there are any. */
export const prepareProgress = (connection: Connection, keys: NamespaceKeys, enrolment: Enrolment) => {
  const announced = async (): Promise<readonly string[]> =>
    textsOf(await connection.send(keys.partitions, ['HKEYS', keys.partitions])).flatMap((name) => name ?? [])

  const position = async (projection: string, partition: string): Promise<string | undefined> => {
    const { meta } = keys.of(partition)
    const found = textOf(await connection.send(meta, ['HGET', meta, positionField(projection)]))
    if (found !== undefined) enrolment.saw(projection, partition)
    return found
  }

  const hasPosition = async (partition: string): Promise<boolean> => {
    const { meta } = keys.of(partition)
    return listOf(await connection.send(meta, ['HKEYS', meta])).some((field) => textOf(field)?.startsWith('p:'))
  }

  return {
    announced,
    position,
    /** A partition may be announced by a commit that was never applied. */
    async partitions(): Promise<readonly string[]> {
      const names = await announced()
      const committed = await Promise.all(names.map(hasPosition))
      return names.filter((_, index) => committed[index])
    },
    async positions(projection: string): Promise<Readonly<Record<string, string>>> {
      const names = await announced()
      const found = await Promise.all(names.map((name) => position(projection, name)))
      return Object.fromEntries(
        names.flatMap((name, index) => {
          const at = found[index]
          return at === undefined ? [] : [[name, at]]
        }),
      )
    },
    async loadCursors(consumer: string): Promise<Readonly<Record<string, string>>> {
      const key = keys.cursors(consumer)
      return Object.fromEntries(mapOf(await connection.send(key, ['HGETALL', key])))
    },
    async saveCursor(consumer: string, busPartition: string, cursor: string): Promise<void> {
      const saved = await connection.run(
        saveCursorScript,
        [keys.marker, keys.cursors(consumer)],
        [enrolment.epoch, busPartition, cursor],
      )
      if (saved !== 1) throw enrolment.gone('it is not the one that was opened')
    },
  }
}
