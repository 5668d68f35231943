import crypto from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a portal: counts calls of built-in functions in its main thread, and serves the counts as JSON on
 * CALL_COUNTS_PORT. Not counted: what worker threads do, and the syncs of SQLite's checkpoints.
 */
const counts: Record<string, number> = {}
const { stringify } = JSON
const { prepare } = DatabaseSync.prototype
const add = (name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1
}

const onCall = (
  owner: object,
  name: string,
  listener: (self: unknown, args: readonly unknown[], result: unknown) => void,
): void => {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new Error(`${name} is not a function`)
  const replacement = function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(original, this, args)
    listener(this, args, result)
    return result
  }
  Reflect.set(owner, name, Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original)))
}

const databases = new WeakMap<object, DatabaseSync>()
/** Without the generation of a read model, so that tables of several runs compare. */
const fileOf = (path: string | null): string =>
  basename(path ?? ':memory:').replace(/(?:-main|\.v\d+-\w+)?\.db(?:-wal)?$/, '')
let lastStream: unknown

const onStatement = (database: DatabaseSync, sql: string, args: readonly unknown[]): void => {
  const file = fileOf(database.location())
  if (/^\s*BEGIN/.test(sql)) {
    lastStream = undefined
    return add(`${file}: transactions`)
  }
  if (/^\s*COMMIT/.test(sql)) {
    const [synchronous] = Object.values(Reflect.apply(prepare, database, ['PRAGMA synchronous']).get() ?? {})
    // From FULL on, each commit waits for the disk.
    if (Number(synchronous) >= 2) add(`${file}: syncs`)
    return
  }
  add(`${file}: statements`)
  if (!sql.startsWith('INSERT INTO events VALUES')) return
  // The events of one append are consecutive rows of one stream, which is the second column.
  const [, stream] = args
  if (stream !== lastStream) add('appends')
  lastStream = stream
  add('events appended')
}

const countSqlite = (): void => {
  onCall(DatabaseSync.prototype, 'prepare', (self, _args, result) => {
    if (self instanceof DatabaseSync && result instanceof StatementSync) databases.set(result, self)
  })
  onCall(DatabaseSync.prototype, 'exec', (self, [sql]) => {
    if (self instanceof DatabaseSync) onStatement(self, String(sql), [])
  })
  for (const name of ['run', 'get', 'all', 'iterate'])
    onCall(StatementSync.prototype, name, (self, args) => {
      const database = self instanceof StatementSync ? databases.get(self) : undefined
      if (database && self instanceof StatementSync) onStatement(database, self.sourceSQL, args)
    })
}

/** The class of file handles is not exported. */
const countSyncs = async (): Promise<void> => {
  await using handle = await open(import.meta.filename)
  for (const name of ['sync', 'datasync'])
    onCall(Reflect.getPrototypeOf(handle) ?? {}, name, (self) => {
      const descriptor: unknown = self instanceof Object && Reflect.get(self, 'fd')
      add(`${fileOf(readlinkSync(`/proc/self/fd/${String(descriptor)}`))}: syncs`)
    })
}

if (isMainThread) {
  countSqlite()
  await countSyncs()
  const functions: readonly (readonly [label: string, owner: object, name: string])[] = [
    ['JSON.parse', JSON, 'parse'],
    ['JSON.stringify', JSON, 'stringify'],
    ...['setTimeout', 'setImmediate'].flatMap((name) =>
      [globalThis, timers, timersPromises].map((owner) => [name, owner, name] as const),
    ),
    ['createHash', crypto, 'createHash'],
  ]
  for (const [label, owner, name] of functions) onCall(owner, name, () => add(label))
  syncBuiltinESMExports()
  createServer((_request, response) => response.end(stringify(counts)))
    .listen(Number(process.env['CALL_COUNTS_PORT']), '127.0.0.1')
    .unref()
}
