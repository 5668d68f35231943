import type { Checkpoints, Maintenance, PartitionDigest } from '../read-model/port.ts'

type Digestible = Pick<Maintenance, 'digest'>

/**
 * Digests of the active generation, each partition at one moment. A rebuild stops at exactly these positions and is compared there
 * before it continues.
 */
export type Baseline = {
  readonly partitions: number
  /** Whether a message at this position comes after the baseline. */
  holdsBack(partition: string, position: string): boolean
  /** The partitions in which the built generation differs from the baseline. */
  differencesOf(built: Digestible): Promise<readonly Difference[]>
}

export type Difference = { readonly partition: string; readonly why: string }

/** Without the suffix that retries of dead letters add (projection/retry-dead-letters.ts). */
const messagePositionOf = (position: string): string => position.split('~')[0] ?? position

const sizeOf = ({ documents, entries }: PartitionDigest): string => `${documents} documents and ${entries} entries`

const differenceOf = (serving: PartitionDigest, built: PartitionDigest): string | undefined => {
  if (serving.position === undefined) return undefined
  const position = messagePositionOf(serving.position)
  if (built.position !== position)
    return `the rebuild ends at ${built.position ?? 'no position'}, the baseline at ${position}`
  if (serving.checksum === built.checksum) return undefined
  const [expected, actual] = [sizeOf(serving), sizeOf(built)]
  return expected === actual ? `different contents in ${actual}` : `${actual}, the baseline has ${expected}`
}

type Digests = ReadonlyMap<string, PartitionDigest>

/** A digest of each partition in which the projection has a position. */
export const takeDigests = async (projection: string, serving: Digestible & Checkpoints): Promise<Digests> => {
  const digests = new Map<string, PartitionDigest>()
  for (const partition of Object.keys(await serving.positions(projection))) {
    digests.set(partition, await serving.digest(projection, partition))
  }
  return digests
}

/** Holds back the messages after these positions, and all of other partitions. */
export const heldBackBy =
  (positions: ReadonlyMap<string, Pick<PartitionDigest, 'position'>>): Baseline['holdsBack'] =>
  (partition, position) =>
    position > messagePositionOf(positions.get(partition)?.position ?? '')

/** Undefined without digests. */
export const baselineFrom = (projection: string, digests: Digests): Baseline | undefined => {
  if (digests.size === 0) return undefined
  return {
    partitions: digests.size,
    holdsBack: heldBackBy(digests),
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
