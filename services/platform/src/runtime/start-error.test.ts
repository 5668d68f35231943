import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startErrorText } from './start-error.ts'
import { wrapDatabaseErrors } from '../files/database-file.ts'
import { openEventStore, openReadModel, openVault } from '../adapters/open-adapters.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'start-error-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const textOf = (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    () => 'opened',
    (error: unknown) => startErrorText(error, undefined),
  )
const openAll = {
  'events.db': () => openEventStore(`sqlite:${join(folder, 'events.db')}`),
  'inbox-main.db': () => openReadModel(`sqlite:${folder}`, 'inbox-main'),
  'user-keys.db': () =>
    openVault('sqlite:', {
      keysFile: join(folder, 'user-keys.db'),
      masterKeyFile: join(folder, 'master.key'),
      erasuresFile: join(folder, 'erasures.jsonl'),
    }),
}
const files = ['events.db', 'inbox-main.db', 'user-keys.db'] as const

const make = async (name: (typeof files)[number]): Promise<string> => {
  await (await openAll[name]()).close()
  return join(folder, name)
}
const damage = (file: string): void => {
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(3_000, 0xff), 0, 3_000, 100)
  closeSync(opened)
}

it.each(files)('a truncated, a damaged, and no %s fail the start with one line that names it', async (name) => {
  const file = await make(name)
  damage(file)
  expect(await textOf(openAll[name]())).toMatch(new RegExp(`^${file} .*: (restore|remove) it .*$`))
  truncateSync(file, 1_000)
  expect(await textOf(openAll[name]())).toMatch(new RegExp(`^${file} .*: (restore|remove) it .*$`))
  writeFileSync(file, 'not a database at all, but long enough for one '.repeat(30))
  expect(await textOf(openAll[name]())).toMatch(new RegExp(`^${file} .*$`))
})

it('a full disk fails the start with one line', () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  const open = () =>
    wrapDatabaseErrors('/data/events.db', 'restore it', () => {
      throw full
    })
  expect(open).toThrow('/data/events.db cannot be written (database or disk is full): make room on its disk')
  const file = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  expect(startErrorText(file, undefined).split('\n')).toHaveLength(1)
})

it.each([
  ['x86_64-conda-linux-gnu', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
  ['192.0.2.1', { code: 'EADDRNOTAVAIL', syscall: 'listen' }],
])('[C11] HOST=%s fails the start with its value and what to do', (host, reason) => {
  expect(startErrorText(Object.assign(new Error('listen'), reason), { host, port: 3000 })).toBe(
    `HOST=${host} is not an address of this machine. If another tool has set it: make run HOST=127.0.0.1`,
  )
})

const openWith = (errcode: number, message: string) => () =>
  wrapDatabaseErrors('/data/x.db', 'remove it', () => {
    throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
  })

it.each([
  [
    5,
    'database is locked',
    /is locked by another process \(.*\): end that one \(fuser \/data\/x\.db names it\), then start again$/,
  ],
  [
    8,
    'attempt to write a readonly database',
    /may not be read or written by this user \(.*\): see who owns it \(ls -l \S+\)$/,
  ],
  [
    14,
    'unable to open database file',
    /is in a folder that does not exist \(.*\): check the path, and whether its disk is mounted$/,
  ],
  [10, 'disk I/O error', /cannot be read or written \(.*\): check its disk and the room on it, then start again$/],
  [11, 'database disk image is malformed', /is damaged \(.*\): remove it$/],
])(
  '[O2] a file with the result code %i has its own remedy, and only a damaged one is removed',
  (errcode, message, says) => {
    expect(openWith(errcode, message)).toThrow(says)
  },
)

it('an event store that is down, and a certificate file that is not there, fail the start with one line', async () => {
  const check = async (url: string): Promise<void> => {
    const store = await openEventStore(url)
    try {
      await store.check()
    } finally {
      await store.close()
    }
  }
  expect(await textOf(check('esdb://127.0.0.1:1?tls=false'))).toMatch(
    /^The event store does not answer \(14 UNAVAILABLE: .*ECONNREFUSED 127\.0\.0\.1:1\): start it, or correct EVENT_STORE_URL\. .*$/,
  )
  expect(await textOf(check('esdb://portal:secret@127.0.0.1:1?tlsCAFile=/nowhere/ca.crt'))).toBe(
    'tlsCAFile in EVENT_STORE_URL names /nowhere/ca.crt, which cannot be read (ENOENT): correct the path',
  )
})
