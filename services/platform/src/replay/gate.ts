import type { PartitionDigest, ReadModel } from '../read-model/port.ts'

/**
 * What serves, partition by partition, as it was at one moment each. What is built anew is taken to exactly these positions and
 * has to look the same there, before it goes on.
 */
export type Gate = {
  readonly partitions: number
  holdsBack(partition: string, position: string): boolean
  /** What is different in what was built. */
  differencesOf(projection: string, built: ReadModel): Promise<readonly Difference[]>
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

/** Undefined when there is nothing to compare with. */
export const takeGate = async (projection: string, serving: ReadModel): Promise<Gate | undefined> => {
  const digests = new Map<string, PartitionDigest>()
  for (const partition of Object.keys(await serving.positions(projection))) {
    digests.set(partition, await serving.digest(projection, partition))
  }
  if (digests.size === 0) return undefined
  return {
    partitions: digests.size,
    holdsBack: (partition, position) => position > passedOf(digests.get(partition)?.position ?? ''),
    async differencesOf(projectionName, built) {
      const differences: Difference[] = []
      for (const [partition, digest] of digests) {
        const why = differenceOf(digest, await built.digest(projectionName, partition))
        if (why !== undefined) differences.push({ partition, why })
      }
      return differences
    },
  }
}
