import type { Logger } from 'pino'
import { type Polling, startPolling } from '../async/polling.ts'
import type { EventStore } from '../event-store/port.ts'
import { recordFromSpool, spoolFolderIn } from './spool.ts'

const pollMs = 500

/** Records what commands leave behind while this process has the event store to itself, until it is stopped. */
export const startRecordingFromSpool = (
  dataDir: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error' | 'warn'>,
): Polling => {
  const folder = spoolFolderIn(dataDir)
  return startPolling(() => recordFromSpool(folder, eventStore, logger).then(() => undefined), {
    everyMs: pollMs,
    onFailure: (error) => logger.warn({ err: error, folder }, 'What operators did could not be recorded; trying again'),
  })
}
