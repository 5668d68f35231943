/**
 * The row names of documents and list entries in a partition. Every adapter computes digests from them, so the same contents have the same
 * checksum.
 */

// The length keeps ('a', 'bc') and ('ab', 'c') apart.
export const documentRow = (collection: string, key: string): string => `d${collection.length}:${collection}${key}`
export const entryRowsOf = (list: string): string => `e${list.length}:${list}`
export const entryRow = (list: string, member: string): string => entryRowsOf(list) + member

/** The text of a list entry's row. */
export const entryText = (score: number | bigint | string, valueJson: string): string => `${score} ${valueJson}`
