import { checkNamespace } from '../limits.ts'

/**
 * The layout. The text in braces selects the slot on Redis Cluster. So all keys of a partition are on one node, and one script can change
 * them.
 *
 * Of the namespace: `{prefix:namespace}` and
 *   `:marker`      hash: layout, epoch, createdAt, sealed
 *   `:partitions`  hash: partition → '0' announced, '1' begun
 *   `:c:CONSUMER`  hash: bus partition → cursor
 *   `:t:CONSUMER`  hash: bus partition → earlier cursors with their times, on a cluster (checkpoints.ts)
 * Of a partition: `{prefix:namespace:partition}` and
 *   `:m`           hash: epoch, sealed, `p:PROJECTION` → position, and `i:PROJECTION` → position, a space, and the id of the message there
 *   `:r`           hash, the rows: `d…` documents and `e…` entries of lists, an entry with its score
 *   `:z:LIST`      sorted set: the members of a list by score
 *   `:w`           channel: commit notifications
 */
export type NamespaceKeys = {
  readonly marker: string
  readonly partitions: string
  cursors(consumer: string): string
  trail(consumer: string): string
  of(partition: string): PartitionKeys
  /** For SCAN: matches exactly the keys of the namespace. */
  readonly pattern: string
}

export type PartitionKeys = {
  readonly meta: string
  readonly rows: string
  readonly channel: string
  list(name: string): string
}

export const namespaceKeys = (prefix: string, namespace: string): NamespaceKeys => {
  checkNamespace(namespace)
  const base = `${prefix}:${namespace}`
  return {
    marker: `{${base}}:marker`,
    partitions: `{${base}}:partitions`,
    cursors: (consumer) => `{${base}}:c:${consumer}`,
    trail: (consumer) => `{${base}}:t:${consumer}`,
    of(partition) {
      // A brace in the partition would end the hash tag too early.
      const tag = `{${base}:${partition.replaceAll(/[%{}]/g, encodeURIComponent)}}`
      return { meta: `${tag}:m`, rows: `${tag}:r`, channel: `${tag}:w`, list: (name) => `${tag}:z:${name}` }
    },
    // Neither prefix nor namespace can contain pattern characters of SCAN.
    pattern: `{${base}[:}]*`,
  }
}

export const positionField = (projection: string): string => `p:${projection}`
export const idField = (projection: string): string => `i:${projection}`
