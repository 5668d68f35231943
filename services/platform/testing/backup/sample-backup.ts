import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { backupPaths, backupStampOf } from '../../src/backup/backup-folder.ts'
import { type Manifest, partNames } from '../../src/backup/manifest.ts'
import { writeContainer } from '../../src/backup/write-container.ts'
import type { EventMetadata, EventStore, RecordedEvent } from '../../src/event-store/port.ts'
import { openSqliteEventStore } from '../../src/event-store/sqlite.ts'
import { openSqliteVault } from '../../src/personal-data/sqlite-vault.ts'

const inOneFile = (path: string): void => {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
}

const makeSources = async (folder: string, events: number): Promise<readonly RecordedEvent[]> => {
  const store = openSqliteEventStore({ path: join(folder, 'events.db') })
  for (let n = 0; n < events; n++) {
    await store.append(`note-${n % 3}`, 'any', [{ id: randomUUID(), type: 'Noted', data: { n, text: randomUUID() } }])
  }
  const recorded: RecordedEvent[] = []
  for (let n = 0; n < 3; n++) for await (const event of store.read(`note-${n}`)) recorded.push(event)
  await store.close()
  const vault = openSqliteVault({ keysFile: join(folder, 'user-keys.db'), masterKeyFile: join(folder, 'master.key') })
  await vault.encrypt('anna', 'Anna')
  await vault.close()
  return recorded.toSorted((a, b) => (a.position < b.position ? -1 : 1))
}

const packParts = async (sources: string, parts: string): Promise<Manifest['parts']> => {
  await mkdir(parts)
  return Promise.all(
    partNames.map(async (name) => {
      const source = join(sources, name.replace(/\.gz$/, ''))
      inOneFile(source)
      const content = gzipSync(await readFile(source))
      await writeFile(join(parts, name), content)
      return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    }),
  )
}

/** A hand-made backup of a small log in a new folder. */
export const sampleBackup = async (events = 20) => {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'))
  const sources = join(folder, 'sources')
  await mkdir(sources)
  const recorded = await makeSources(sources, events)
  const last = recorded.at(-1)
  const madeAt = new Date('2026-11-22T19:08:38Z')
  const { file, partial, parts } = backupPaths(folder, backupStampOf(madeAt))
  const manifest: Manifest = {
    format: 1,
    madeAt: madeAt.toISOString(),
    release: '0.1.0',
    store: 'sqlite',
    log: { events, end: last === undefined ? null : { position: last.position, eventId: last.id } },
    masterKey: 'fingerprint',
    people: { keys: 1, erased: 0 },
    parts: await packParts(sources, parts),
    readModels: [],
  }
  const write = (changed: Partial<Manifest> = {}) =>
    writeContainer({ path: file, partialPath: partial, partsFolder: parts, manifest: { ...manifest, ...changed } })
  const bytes = await write()
  return { folder, file, bytes, manifest, recorded, write, remove: () => rm(folder, { recursive: true }) }
}
export type SampleBackup = Awaited<ReturnType<typeof sampleBackup>>

export const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const metadataOf = (n: number): EventMetadata | undefined =>
  n % 3 === 0 ? undefined : n % 3 === 1 ? { actorId: `user-${n}` } : { occurredAt: '2024-05-01T08:00:00.000Z' }

/** Appends one to four events at a time to twenty streams of three categories, so that consecutive events have different streams. */
export const recordSomeHistory = async (store: Pick<EventStore, 'append'>, appends: number): Promise<void> => {
  const categories = ['user', 'inbox', 'campaign']
  for (let n = 0; n < appends; n++) {
    const metadata = metadataOf(n)
    const events = Array.from({ length: 1 + (n % 4) }, (_, index) => ({
      id: randomUUID(),
      type: 'Noted',
      data: { n, index, text: `Grüße № ${n}`, nested: { list: [null, true, 1.5] } },
      ...(metadata && { metadata }),
    }))
    await store.append(`${categories[n % 3]}-${n % 20}`, 'any', events)
  }
}
