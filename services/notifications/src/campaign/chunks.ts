import { recipientsPerEvent } from './events.ts'

/** What belongs to one bucket. */
type InBucket<T> = { readonly bucket: string; readonly items: readonly T[] }

/** Groups by bucket, buckets in order, items in the order given. */
export const groupByBucket = <T>(items: readonly T[], bucketOf: (item: T) => string): readonly InBucket<T>[] => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const bucket = bucketOf(item)
    const group = groups.get(bucket)
    if (group) group.push(item)
    else groups.set(bucket, [item])
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([bucket, grouped]) => ({ bucket, items: grouped }))
}

/** Packs groups into chunks of at most `size` items in all; a group that does not fit goes on in the next chunk. */
export const packChunks = <T>(
  groups: readonly InBucket<T>[],
  size: number = recipientsPerEvent,
): readonly (readonly InBucket<T>[])[] => {
  const chunks: InBucket<T>[][] = []
  let room = 0
  for (const { bucket, items } of groups) {
    for (let from = 0; from < items.length;) {
      if (room === 0) {
        chunks.push([])
        room = size
      }
      const part = items.slice(from, from + room)
      chunks.at(-1)?.push({ bucket, items: part })
      from += part.length
      room -= part.length
    }
  }
  return chunks
}
