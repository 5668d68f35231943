/** Inboxes are spread over this many buckets; all that touches one inbox is ordered within its bucket. */
const bucketCount = 64

/** 0 to 63, stable for ever: FNV-1a over the id. Changing it would reorder every inbox on a rebuild. */
export const bucketOf = (id: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % bucketCount
}

const keyOf = (bucket: number): string => `b${String(bucket).padStart(2, '0')}`

/** The bus key and read-model partition of an id's bucket: `b00` to `b63`. */
export const bucketKey = (id: string): string => keyOf(bucketOf(id))

export const allBucketKeys: readonly string[] = Array.from({ length: bucketCount }, (_, bucket) => keyOf(bucket))
