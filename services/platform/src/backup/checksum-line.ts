/** The last line of a backup: the SHA-256 of all bytes before it. */
export const checksumLine = (sha256: string): string => `sha256 ${sha256}\n`

export const checksumLineBytes = checksumLine('0'.repeat(64)).length

/** Undefined for bytes that are not such a line. */
export const checksumIn = (line: Buffer): string | undefined =>
  /^sha256 ([0-9a-f]{64})\n$/.exec(line.toString('latin1'))?.[1]
