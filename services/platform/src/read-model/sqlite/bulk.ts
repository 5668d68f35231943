import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

const largest = 64

/**
 * Runs `INSERT … VALUES (…), (…), …` for any number of rows with few statements: sixty-four rows a statement, the rest in
 * powers of two, so that seven prepared statements serve every count.
 */
export const prepareBulk = (db: DatabaseSync, insert: string, columns: number, onConflict: string) => {
  const statements = new Map<number, StatementSync>()
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`

  const statementFor = (rows: number): StatementSync => {
    const known = statements.get(rows)
    if (known !== undefined) return known
    const values = Array.from({ length: rows }, () => row).join(', ')
    const statement = db.prepare(`${insert} VALUES ${values} ${onConflict}`)
    statements.set(rows, statement)
    return statement
  }

  return (params: readonly SQLInputValue[]): void => {
    let size = largest
    for (let at = 0; at < params.length; at += size * columns) {
      while (size * columns > params.length - at) size /= 2
      statementFor(size).run(...params.slice(at, at + size * columns))
    }
  }
}
