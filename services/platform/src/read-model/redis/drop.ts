import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'
import { listOf, textOf, textsOf } from './decode-replies.ts'

const keysPerStep = '1000'

/** Key by key, in steps that hold up nobody. The marker goes first, so that whoever has it open all the same notices. */
export const dropNamespace = async (connection: Connection, keys: NamespaceKeys): Promise<void> => {
  await connection.send(keys.marker, ['UNLINK', keys.marker])
  for (const send of await connection.nodes()) {
    let cursor = '0'
    do {
      const [next, found] = listOf(await send(['SCAN', cursor, 'MATCH', keys.pattern, 'COUNT', keysPerStep]))
      cursor = textOf(next) ?? '0'
      // One by one: the keys of a node lie in many slots. They are sent together.
      await Promise.all(textsOf(found).map((key) => (key === undefined ? undefined : send(['UNLINK', key]))))
    } while (cursor !== '0')
  }
}
