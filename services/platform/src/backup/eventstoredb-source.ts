import { connectTo, type Engine, type EngineRecord } from '../event-store/eventstoredb/client.ts'
import { isAfter, type EventStoreDbPosition } from '../event-store/eventstoredb/log-position.ts'
import { itemsOf } from '../event-store/eventstoredb/read.ts'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import { keyMade, masterKeyChosen, userIdOfStream } from '../personal-data/eventstoredb-vault.ts'
import { archiveLog } from './archived-log.ts'
import type { BackupSource } from './make-backup.ts'
import { type KeyRecord, writeUserKeysFile } from './user-keys-file.ts'

const recordsPerRead = 4_096
const tombstone = '$streamDeleted'

/** All records of the log, including system records. */
async function* allRecords(engine: Engine, signal: AbortSignal): AsyncGenerator<EngineRecord> {
  let last: EventStoreDbPosition | undefined
  for (;;) {
    const from = last ?? { commit: 0n, prepare: 0n }
    const page = await engine.retryShortOutages(async (leftMs) => {
      const records: EngineRecord[] = []
      for await (const record of itemsOf(engine.readAllForwards(from, recordsPerRead), leftMs)) records.push(record)
      return records
    })
    signal.throwIfAborted()
    // A read includes the record that it begins at.
    const fresh = page.filter(({ position }) => last === undefined || isAfter(position, last))
    yield* fresh
    last = fresh.at(-1)?.position ?? last
    if (fresh.length === 0) return
  }
}

async function* keyRecords(engine: Engine, signal: AbortSignal): AsyncGenerator<KeyRecord> {
  for await (const { stream, type, data, at } of allRecords(engine, signal)) {
    const owner = userIdOfStream(stream)
    if (owner === undefined) continue
    if (owner === 'master') yield { kind: 'master', fingerprint: masterKeyChosen.parse(data).fingerprint }
    else if (type === tombstone) yield { kind: 'erased', userId: owner.userId, erasedAt: at.toISOString() }
    else {
      const { wrapped } = keyMade.parse(data)
      yield { kind: 'key', userId: owner.userId, wrapped: Buffer.from(wrapped, 'base64url') }
    }
  }
}

/** The source for a portal on EventStoreDB: reads the log, then the key streams. */
export const eventStoreDbSource = async (url: string): Promise<BackupSource> => {
  const log = await openEventStoreDb({ url })
  const engine = connectTo(url)
  return {
    store: 'eventstoredb',
    copyLog: (path, options) => archiveLog({ log, path, ...options }),
    copyKeys: (path, signal) => writeUserKeysFile(path, keyRecords(engine, signal)),
    close: async () => {
      await log.close()
      await engine.close()
    },
  }
}
