/** All changes to one inbox are ordered within its bucket. */
const bucketCount = 64

/** Returns 0 to 63: FNV-1a over the id. Never change it: a rebuild would reorder every inbox. */
export const bucketOf = (id: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % bucketCount
}

const keyOf = (bucket: number): string => `b${String(bucket).padStart(2, '0')}`

/** The bus key and read-model partition of an id's bucket: `b00` to `b63`. */
export const bucketKey = (id: string): string => keyOf(bucketOf(id))

export const allBucketKeys: readonly string[] = Array.from({ length: bucketCount }, (_, bucket) => keyOf(bucket))
