import type { Logger } from 'pino'
import type { EventStore } from '../event-store/port.ts'
import { recordFromSpool, spoolFolderIn } from './spool.ts'

const lookEveryMs = 500

/** Records what commands leave behind while this process has the event store to itself, until it is stopped. */
export const startRecordingFromSpool = (
  dataDir: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error' | 'warn'>,
): { stop(): Promise<void> } => {
  const folder = spoolFolderIn(dataDir)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isFailing = false

  const look = async (): Promise<void> => {
    try {
      await recordFromSpool(folder, eventStore, logger)
      isFailing = false
    } catch (error) {
      // Tried again for as long as it takes; said once.
      if (!isFailing) logger.warn({ err: error, folder }, 'What operators did could not be recorded; trying again')
      isFailing = true
    }
    if (!isStopped) timer = setTimeout(lookAgain, lookEveryMs).unref()
  }
  const lookAgain = (): void => {
    looking = look()
  }
  let looking = look()

  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
