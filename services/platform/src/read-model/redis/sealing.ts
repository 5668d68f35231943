import type { Connection } from './connection.ts'
import type { Enrolment } from './enrolment.ts'
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
  enrolment: Enrolment,
  announced: () => Promise<readonly string[]>,
) => {
  const mark = async (marking: typeof sealScript) => {
    const marked = await connection.run(marking, [keys.marker], [enrolment.epoch])
    if (marked !== 1) throw enrolment.gone('it is not the one that was opened')
  }
  const tellAll = async (command: (meta: string) => readonly string[]) => {
    const metas = (await announced()).map((partition) => keys.of(partition).meta)
    await Promise.all(metas.map((meta) => connection.send(meta, command(meta))))
  }
  return {
    async seal(): Promise<void> {
      await mark(sealScript)
      await tellAll((meta) => ['HSET', meta, 'sealed', '1'])
    },
    async unseal(): Promise<void> {
      await mark(unsealScript)
      await tellAll((meta) => ['HDEL', meta, 'sealed'])
    },
  }
}
