import { projections, publishers } from '@portal/standalone/services'
import { createRelay } from '@portal/platform/bus/relay'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { openSqliteEventLog } from '@portal/platform/event-store/sqlite'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { applyLog, openRebuildTarget } from '@portal/platform/generations/rebuild-target'
import { createLogger } from '@portal/platform/observability/logger'
import type { PartitionDigests } from './golden-folder.ts'

const digestsOf = async (projection: string, readModel: ReadModel): Promise<PartitionDigests> => {
  const digests: PartitionDigests = {}
  for (const partition of Object.keys(await readModel.positions(projection)).toSorted()) {
    const { position = '', documents, entries, checksum } = await readModel.digest(projection, partition)
    digests[partition] = { position, documents, entries, checksum }
  }
  return digests
}

/** What this release's projections make of a log, in memory: digests by projection, in its version, and partition. */
export const rebuildDigests = async (logFile: string): Promise<Readonly<Record<string, PartitionDigests>>> => {
  const log = openSqliteEventLog(logFile)
  const logger = createLogger({ level: 'silent' })
  const targets = await Promise.all(
    projections.map((projection) =>
      openRebuildTarget(
        projection,
        projection.name,
        openSqliteReadModel({ path: ':memory:', namespace: projection.name }),
        logger,
      ),
    ),
  )
  try {
    const relay = createRelay(publishers)
    const until = await log.end()
    await applyLog({ log, relay, targets, after: 'start', until, signal: new AbortController().signal })
    const digests: Record<string, PartitionDigests> = {}
    for (const { projection, readModel, flush } of targets) {
      await flush()
      digests[projectionKey(projection)] = await digestsOf(projection.name, readModel)
    }
    return digests
  } finally {
    await Promise.all(targets.map(({ readModel }) => readModel.close()))
    await log.close()
  }
}

/** The whole log, oldest first. Golden logs are small. */
export const readLog = async (logFile: string): Promise<readonly RecordedEvent[]> => {
  const log = openSqliteEventLog(logFile)
  const events: RecordedEvent[] = []
  try {
    for await (const event of readLogToEnd(log)) events.push(event)
    return events
  } finally {
    await log.close()
  }
}
