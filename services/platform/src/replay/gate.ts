import type { PartitionDigest, ReadModel } from '../read-model/port.ts'

/**
 * What serves, partition by partition, as it was at one moment each. What is built anew is taken to exactly these positions and
 * has to look the same there, before it goes on.
 */
export type Gate = {
  readonly partitions: number
  holdsBack(partition: string, position: string): boolean
  /** What is different in what was built. */
  differencesOf(built: ReadModel): Promise<readonly Difference[]>
}

export type Difference = { readonly partition: string; readonly why: string }

/** Retrying parked messages moves a position on without passing a message (projection/retry-parked.ts). */
const passedOf = (position: string): string => position.split('~')[0] ?? position

const sizeOf = ({ documents, entries }: PartitionDigest): string => `${documents} documents and ${entries} entries`

const differenceOf = (serving: PartitionDigest, built: PartitionDigest): string | undefined => {
  if (serving.position === undefined) return undefined
  const position = passedOf(serving.position)
  if (built.position !== position)
    return `the log leads to ${built.position ?? 'no position'}, what serves is at ${position}`
  if (serving.checksum === built.checksum) return undefined
  const [was, is] = [sizeOf(serving), sizeOf(built)]
  return was === is ? `other contents in ${is}` : `${is}, what serves has ${was}`
}

export type Digests = ReadonlyMap<string, PartitionDigest>

/** Each partition that the projection has a position in. */
export const takeDigests = async (projection: string, serving: ReadModel): Promise<Digests> => {
  const digests = new Map<string, PartitionDigest>()
  for (const partition of Object.keys(await serving.positions(projection))) {
    digests.set(partition, await serving.digest(projection, partition))
  }
  return digests
}

/** Undefined when there is nothing to compare with. */
export const gateOf = (projection: string, digests: Digests): Gate | undefined => {
  if (digests.size === 0) return undefined
  return {
    partitions: digests.size,
    holdsBack: (partition, position) => position > passedOf(digests.get(partition)?.position ?? ''),
    async differencesOf(built) {
      const differences: Difference[] = []
      for (const [partition, digest] of digests) {
        const why = differenceOf(digest, await built.digest(projection, partition))
        if (why !== undefined) differences.push({ partition, why })
      }
      return differences
    },
  }
}
