import type { Connection } from './connection.ts'
import type { Continuity } from './continuity.ts'
import type { NamespaceKeys } from './keys.ts'
import { script } from './script.ts'

/** KEYS: marker. ARGV: epoch. */
const sealScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'sealed', '1')
return 1
`)
const unsealScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'sealed')
return 1
`)

/**
 * First the namespace, then every partition that has been announced: a commit is made only to a partition that was announced
 * before the namespace was seen unsealed, so it either finds the namespace sealed or its partition among these.
 */
export const prepareSealing = (
  connection: Connection,
  keys: NamespaceKeys,
  continuity: Continuity,
  announced: () => Promise<readonly string[]>,
) => {
  const mark = async (marking: typeof sealScript): Promise<number> => {
    const during = await continuity.forWrite()
    const marked = await connection.run(marking, [keys.marker], [continuity.epoch], during)
    if (marked !== 1) throw continuity.gone('it is not the one that was opened')
    return during
  }
  const tellAll = async (command: (meta: string) => readonly string[], during: number) => {
    const metas = (await announced()).map((partition) => keys.of(partition).meta)
    await Promise.all(metas.map((meta) => connection.send(meta, command(meta), during)))
  }
  return {
    async seal(): Promise<void> {
      const during = await mark(sealScript)
      await tellAll((meta) => ['HSET', meta, 'sealed', '1'], during)
    },
    async unseal(): Promise<void> {
      const during = await mark(unsealScript)
      await tellAll((meta) => ['HDEL', meta, 'sealed'], during)
    },
  }
}
