import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** 'parc' */
const applicationId = 0x70617263
const schemaVersion = 1

const schema = `
  CREATE TABLE log (
    position TEXT PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    at TEXT NOT NULL, -- ISO 8601
    UNIQUE (stream, revision)
  ) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`

/** The file is no archive of an event log, or a newer release made it. */
export class NotAnArchiveError extends Error {
  override readonly name = 'NotAnArchiveError'
  readonly isUserFacing = true
}

/** Makes a new archive. It is on disk once it is closed: until then it is worth nothing, so no commit waits for the disk. */
export const createArchiveFile = (path: string): DatabaseSync => {
  if (existsSync(path)) throw new Error(`${path} exists`)
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${schema}`)
  return db
}

const pragma = (db: DatabaseSync, name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]

export const openArchiveFile = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    if (pragma(db, 'application_id') !== applicationId)
      throw new NotAnArchiveError(`${path} is not an archive of an event log`)
    if (pragma(db, 'user_version') !== schemaVersion)
      throw new NotAnArchiveError(`${path} is an archive that a newer release made`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
