import type { Checkpoints, Maintenance, PartitionDigest } from '../read-model/port.ts'

type Digestible = Pick<Maintenance, 'digest'>

/**
 * Digests of the active generation, each partition at one moment. A rebuild goes to exactly these positions and has to be equal there
 * before it goes on.
 */
export type Baseline = {
  readonly partitions: number
  holdsBack(partition: string, position: string): boolean
  /** How the built generation differs from the baseline. */
  differencesOf(built: Digestible): Promise<readonly Difference[]>
}

export type Difference = { readonly partition: string; readonly why: string }

/** Retrying dead letters moves a position without passing a message (projection/retry-dead-letters.ts). */
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

type Digests = ReadonlyMap<string, PartitionDigest>

/** Each partition that the projection has a position in. */
export const takeDigests = async (projection: string, serving: Digestible & Checkpoints): Promise<Digests> => {
  const digests = new Map<string, PartitionDigest>()
  for (const partition of Object.keys(await serving.positions(projection))) {
    digests.set(partition, await serving.digest(projection, partition))
  }
  return digests
}

/** Undefined when there is nothing to compare with. */
export const baselineFrom = (projection: string, digests: Digests): Baseline | undefined => {
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
