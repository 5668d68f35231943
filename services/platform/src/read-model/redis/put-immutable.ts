import type { Json } from '../../event-store/port.ts'
import type { DocumentRef } from '../port.ts'
import type { Connection } from './connection.ts'
import type { Continuity } from './continuity.ts'
import type { PartitionRegistry } from './partition-registry.ts'
import { documentRow } from '../row-names.ts'
import type { NamespaceKeys } from './keys.ts'
import { script } from './script.ts'

/** KEYS: meta, rows. ARGV: epoch, row, text. Answers 0 in a partition of another epoch, or of none. */
const putScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
return 1
`)

/** Once: a second one finds the partition begun, or lost. */
const attempts = 2

export const preparePutImmutable =
  (connection: Connection, keys: NamespaceKeys, continuity: Continuity, registry: PartitionRegistry) =>
  async ({ partition, collection, key }: DocumentRef, value: Json): Promise<void> => {
    const { meta, rows } = keys.of(partition)
    const args = [continuity.epoch, documentRow(collection, key), JSON.stringify(value)]
    for (let attempt = 0; attempt < attempts; attempt++) {
      const during = await continuity.forWrite()
      if ((await connection.run(putScript, [meta, rows], args, during)) === 1) return
      if (registry.isRegistered(partition)) await continuity.partitionGone(partition)
      await registry.begin(partition, during)
    }
    throw continuity.gone(`partition '${partition}' has lost its data`)
  }
