/** Primary result codes, from sqlite3.h. */
export const sqliteBusy = 5
export const sqliteNotADatabase = 26

const sqliteReadOnly = 8
const sqliteIoError = 10
const sqliteFull = 13
const outages: ReadonlySet<number> = new Set([sqliteBusy, sqliteReadOnly, sqliteIoError, sqliteFull])

export const hasErrorCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === code

/** The disk takes no writes, which may change; anything else is a mistake in the statement or a damaged file. */
export const isOutageOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && outages.has(error.errcode % 256)
