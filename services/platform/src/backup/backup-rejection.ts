/** Why a file cannot be used as a backup. The message is one line for the operator. */
export type BackupRejection = {
  readonly ok: false
  /** What is wrong and what to do, for a command that needs the backup. */
  readonly message: string
  /** Only what is wrong. */
  readonly why: string
} & (
  | { readonly code: 'not-a-backup' }
  /** The file is truncated, for example by an interrupted copy. */
  | { readonly code: 'incomplete' }
  | { readonly code: 'newer-format' }
  | {
      readonly code: 'damaged'
      /** The name of an entry, 'checksum line', or 'file' for damage elsewhere. */
      readonly part: string
      /** SHA-256, in hexadecimal. */
      readonly expected: string
      readonly found: string
    }
)

const shownDigits = 12

export const notABackup = (path: string, why = 'is not a backup of a portal'): BackupRejection => ({
  ok: false,
  code: 'not-a-backup',
  why: `${path} ${why}`,
  message: `${path} ${why}`,
})

export const incomplete = (path: string): BackupRejection => {
  const why = `${path} is incomplete: it ends early`
  return { ok: false, code: 'incomplete', why, message: `${why}. Copy it again, or use another backup` }
}

export const newerFormat = (path: string, format: number, madeBy: string | undefined): BackupRejection => {
  const why = `${path} has format ${format}, which this release cannot read`
  return {
    ok: false,
    code: 'newer-format',
    why,
    message: `${why}. Use release ${madeBy ?? 'that made it'} or a newer one`,
  }
}

export const damaged = (path: string, part: string, expected: string, found: string): BackupRejection => {
  const why = `${path} is damaged: ${part === 'file' ? 'it' : part} has the SHA-256 ${found.slice(0, shownDigits)}…, expected ${expected.slice(0, shownDigits)}…`
  return { ok: false, code: 'damaged', part, expected, found, why, message: `${why}. Use another backup` }
}

/** Rejects a file with a complete archive but without a checksum. */
export const damagedEnd = (path: string, found: string): BackupRejection => {
  const why = `${path} is damaged: its last line is not a checksum`
  const about = { part: 'checksum line', expected: 'a checksum line', found }
  return { ok: false, code: 'damaged', ...about, why, message: `${why}. Use another backup` }
}
