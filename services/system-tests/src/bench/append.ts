import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { v7 as newId } from 'uuid'
import { type Comparison, nowMs, type Scale } from './measure.ts'

/** Durable appends of 64 writers, against the same rows in raw SQLite in batches of 64 with synchronous=FULL. */
const writers = 64
const body = { notificationId: '0199a7c0-0000-7000-8000-000000000000', title: 'Fees are due', message: 'x'.repeat(200) }

const portalRate = async (folder: string, appends: number): Promise<number> => {
  const store = openSqliteEventStore({ path: join(folder, 'events.db') })
  const streams = Array.from({ length: writers }, () => `campaign-${newId()}`)
  const start = nowMs()
  await Promise.all(
    streams.map(async (stream) => {
      for (let revision = 0; revision < appends / writers; revision++) {
        const appended = await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [
          { id: newId(), type: 'CampaignSent', data: body },
        ])
        if (appended.kind === 'conflict') throw new Error('conflict, although each stream has one writer')
      }
    }),
  )
  const rate = appends / ((nowMs() - start) / 1_000)
  await store.close()
  return rate
}

const rawRate = (folder: string, appends: number): number => {
  const database = new DatabaseSync(join(folder, 'raw.db'))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, at TEXT NOT NULL, UNIQUE (stream, revision));`)
  const insert = database.prepare(
    'INSERT INTO events (stream, revision, id, type, data, metadata, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const streams = Array.from({ length: writers }, () => `campaign-${newId()}`)
  const start = nowMs()
  for (let revision = 0; revision < appends / writers; revision++) {
    database.exec('BEGIN IMMEDIATE')
    for (const stream of streams)
      insert.run(stream, revision, newId(), 'CampaignSent', JSON.stringify(body), '{}', new Date().toISOString())
    database.exec('COMMIT')
  }
  const rate = appends / ((nowMs() - start) / 1_000)
  database.close()
  return rate
}

export const benchAppend = async (scale: Scale): Promise<Comparison[]> => {
  const portal: number[] = []
  const limit: number[] = []
  for (let round = 0; round < scale.rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-append-'))
    portal.push(await portalRate(folder, scale.appendsPerRound))
    limit.push(rawRate(folder, scale.appendsPerRound))
    rmSync(folder, { recursive: true })
  }
  return [
    {
      name: 'durable append, 64 writers',
      limitName: 'raw SQLite FULL in batches of 64',
      unit: '/s',
      portal,
      limit,
      reach: { atLeast: 0.8 },
    },
  ]
}
