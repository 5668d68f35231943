import type { Connection } from './connection.ts'
import type { Continuity } from './continuity.ts'
import type { NamespaceKeys } from './keys.ts'
import { script } from './script.ts'

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
 * Marks the namespace first, then every announced partition. A commit goes only to a partition that was announced before the
 * namespace was seen without a fence, so the commit finds the mark of the namespace or of its partition.
 */
export const prepareFence = (
  connection: Connection,
  keys: NamespaceKeys,
  continuity: Continuity,
  announced: () => Promise<readonly string[]>,
) => {
  const mark = async (marking: typeof fenceScript): Promise<number> => {
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
    async fence(): Promise<void> {
      const during = await mark(fenceScript)
      await tellAll((meta) => ['HSET', meta, 'sealed', '1'], during)
    },
    async unfence(): Promise<void> {
      const during = await mark(unfenceScript)
      await tellAll((meta) => ['HDEL', meta, 'sealed'], during)
    },
  }
}
