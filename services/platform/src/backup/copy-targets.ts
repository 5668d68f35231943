import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import { openSqliteLogWriter } from '../event-store/sqlite/log-writer.ts'
import { openSqliteEventLog } from '../event-store/sqlite.ts'
import type { CopyTarget } from './copy-log.ts'

export type OpenCopyTarget = CopyTarget & { close(): Promise<void> }

/** A log in a SQLite file, created if it is missing. Events keep their times and, from another file, their positions. */
export const sqliteCopyTarget = (path: string): OpenCopyTarget => {
  const writer = openSqliteLogWriter(path)
  const log = openSqliteEventLog(path)
  return {
    log,
    append: writer.append,
    close: async () => {
      await log.close()
      await writer.close()
    },
  }
}

/** EventStoreDB assigns its own time, so the original time moves to the metadata. */
const withOwnTime = ({ id, type, data, metadata, at }: RecordedEvent) => {
  if (typeof data !== 'object' || data === null) throw new Error(`The data of event ${id} is not an object`)
  return { id, type, data, metadata: { ...metadata, occurredAt: metadata.occurredAt ?? at } }
}

/** Groups consecutive events of the same stream, because one append writes to one stream. */
const runsOf = (events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] => {
  const runs: RecordedEvent[][] = []
  for (const event of events) {
    const run = runs.at(-1)
    if (run?.[0]?.stream === event.stream) run.push(event)
    else runs.push([event])
  }
  return runs
}

const appendRun = async (store: Pick<EventStore, 'append'>, run: readonly RecordedEvent[]): Promise<void> => {
  const [first] = run
  if (first === undefined) return
  const { stream, revision } = first
  const expected = revision === 0 ? 'no-stream' : revision - 1
  const answer = await store.append(stream, expected, run.map(withOwnTime))
  if (answer.kind === 'conflict') throw new Error(`Another process writes to ${stream}: stop the portal first`)
}

/** EventStoreDB. The appends are sequential, to keep the order of the log. */
export const eventStoreCopyTarget = (store: EventStore): OpenCopyTarget => ({
  log: store,
  append: async (events) => {
    for (const run of runsOf(events)) await appendRun(store, run)
  },
  close: store.close,
})
