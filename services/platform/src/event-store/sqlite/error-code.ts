/** Primary result codes, from sqlite3.h. */
export const sqliteBusy = 5
export const sqliteNotADatabase = 26

export const hasErrorCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === code
