/** Names that a reader would take for the same are the same: case, width and runs of spaces make no difference. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
