/**
 * How a document and a list entry are called among the rows of a partition. Digests are made of these names, so that the same contents
 * have the same checksum in every adapter.
 */

// The length keeps ('a', 'bc') and ('ab', 'c') apart.
export const documentRow = (collection: string, key: string): string => `d${collection.length}:${collection}${key}`
export const entryRowsOf = (list: string): string => `e${list.length}:${list}`
export const entryRow = (list: string, member: string): string => entryRowsOf(list) + member

/** The text of a list entry's row. */
export const entryText = (score: number | bigint | string, valueJson: string): string => `${score} ${valueJson}`
