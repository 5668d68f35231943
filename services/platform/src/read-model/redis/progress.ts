import type { Connection } from './connection.ts'
import type { Continuity } from './continuity.ts'
import { prepareCursors } from './cursors.ts'
import type { PositionId } from '../port.ts'
import { idField, type NamespaceKeys, positionField } from './keys.ts'
import { listOf, textOf, textsOf } from './decode-replies.ts'

/** The two kinds of progress, positions and cursors, and where there are any. */
export const prepareProgress = (
  connection: Connection,
  keys: NamespaceKeys,
  continuity: Continuity,
  cursorsTrailMs: number,
) => {
  const announced = async (): Promise<readonly string[]> => {
    await continuity.beforeRead()
    const names = textsOf(await connection.send(keys.partitions, ['HKEYS', keys.partitions]))
    if (names.length === 0) await continuity.confirmNamespace()
    return names.flatMap((name) => name ?? [])
  }

  const position = async (projection: string, partition: string): Promise<string | undefined> => {
    const waiting = continuity.beforeRead()
    if (waiting !== undefined) await waiting
    const { meta } = keys.of(partition)
    const found = textOf(await connection.send(meta, ['HGET', meta, positionField(projection)]))
    if (found === undefined) await continuity.confirmEmpty(partition)
    else continuity.sawPosition(projection, partition, found)
    return found
  }

  /** The id is kept with its position: a commit that names none leaves an older one behind. */
  const positionId = async (projection: string, partition: string): Promise<PositionId | undefined> => {
    const { meta } = keys.of(partition)
    const fields = [positionField(projection), idField(projection)]
    const [found, identity] = textsOf(await connection.send(meta, ['HMGET', meta, ...fields]))
    if (found === undefined) return undefined
    continuity.sawPosition(projection, partition, found)
    const messageId = identity?.startsWith(`${found} `) === true ? identity.slice(found.length + 1) : undefined
    return { position: found, messageId }
  }

  const ofEachPartition = async <Found>(
    look: (partition: string) => Promise<Found | undefined>,
  ): Promise<Readonly<Record<string, Found>>> => {
    const names = await announced()
    const found = await Promise.all(names.map(look))
    return Object.fromEntries(
      names.flatMap((name, index) => {
        const each = found[index]
        return each === undefined ? [] : [[name, each]]
      }),
    )
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
    positions: (projection: string) => ofEachPartition((partition) => position(projection, partition)),
    positionIds: (projection: string) => ofEachPartition((partition) => positionId(projection, partition)),
    ...prepareCursors(connection, keys, continuity, cursorsTrailMs),
  }
}
