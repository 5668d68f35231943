import type { DatabaseSync } from 'node:sqlite'

/** A row says that the read model is fenced, so that other processes see it. Each commit reads it inside its own transaction. */
export const prepareFence = (db: DatabaseSync) => {
  // Not part of the layout's version: read models of older versions of the program go on being used.
  db.exec('CREATE TABLE IF NOT EXISTS seal (id INTEGER PRIMARY KEY CHECK (id = 1))')
  const find = db.prepare('SELECT 1 FROM seal')
  const set = db.prepare('INSERT INTO seal VALUES (1) ON CONFLICT DO NOTHING')
  const lift = db.prepare('DELETE FROM seal')
  return {
    isSet: (): boolean => find.get() !== undefined,
    set: (): void => void set.run(),
    lift: (): void => void lift.run(),
  }
}
