import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Polling } from '../async/polling.ts'
import { DataFolderInUseError } from '../event-store/errors.ts'
import type { EventStore } from '../event-store/port.ts'
import type { Config } from '../settings/config.ts'
import { recordOperatorEvent } from '../security-log/open-security-log.ts'
import type { SecurityEvent } from '../security-log/security-log.ts'
import { createLogger } from '../observability/logger.ts'
import { systemClockAndIds } from '../decider/clock-and-ids.ts'
import { openEventStore } from '../adapters/open-adapters.ts'
import {
  appendOperation,
  type IdentifiedOperation,
  identifiedOperationSchema,
  type Operation,
  operationSchema,
} from './operation.ts'
import { handleSpool, writeToSpool, type Spool, watchSpool } from './spool.ts'

/** 'left': it is on disk, and the process that has the event store records it within about a second, or at its next start. */
type OperationRecorded = 'recorded' | 'left'

/** Where operations wait while another process has the event store to itself. */
export const spoolFolderIn = (dataDir: string): string => join(dataDir, 'operations')

const operationSpool = (
  folder: string,
  eventStore: Pick<EventStore, 'append'>,
): Pick<Spool, 'folder' | 'handle' | 'rejectedMessage'> => ({
  folder,
  handle: async (left) => {
    const parsed = identifiedOperationSchema.safeParse(left)
    if (!parsed.success) return 'refused'
    await appendOperation(eventStore, parsed.data)
    return 'done'
  },
  rejectedMessage: 'What was left to be recorded is no operation',
})

/** Records what lies in the spool. Answers how many it recorded. */
export const recordFromSpool = (
  folder: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error'>,
): Promise<number> => handleSpool({ ...operationSpool(folder, eventStore), logger })

/** Records what commands leave behind while this process has the event store to itself, until it is stopped. */
export const startRecordingFromSpool = (
  dataDir: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error' | 'warn'>,
): Polling =>
  watchSpool({
    ...operationSpool(spoolFolderIn(dataDir), eventStore),
    logger,
    failureMessage: 'What operators did could not be recorded; trying again',
  })

const withStore = async (url: string, work: (eventStore: EventStore) => Promise<unknown>): Promise<void> => {
  const eventStore = await openEventStore(url)
  try {
    await work(eventStore)
  } finally {
    await eventStore.close()
  }
}

/** By the spool in any case: from then on it is safe, whatever happens to this process. */
const recordInFile = async (
  { dataDir, eventStoreUrl }: Pick<Config, 'dataDir' | 'eventStoreUrl'>,
  identified: IdentifiedOperation,
): Promise<OperationRecorded> => {
  const folder = spoolFolderIn(dataDir)
  writeToSpool(folder, identified.id, identified)
  try {
    const logger = createLogger({ level: 'warn' })
    await withStore(eventStoreUrl, (eventStore) => recordFromSpool(folder, eventStore, logger))
    return 'recorded'
  } catch (error) {
    if (error instanceof DataFolderInUseError) return 'left'
    throw error
  }
}

/** Also of use to commands that record an operation in another store. */
export const securityEventOf = ({ type, data }: Operation): SecurityEvent => ({
  event: type === 'PersonalDataShown' ? 'personal-data-unmasked' : 'operation-run',
  result: 'ok',
  operator: data.by,
  target: type,
})

/**
 * Records what an operator did, or is about to do, durably: once it resolves, it will be in the event store. With the same
 * `id`, a UUID, a second call changes nothing.
 */
export const recordOperation = async (
  config: Pick<Config, 'environment' | 'dataDir' | 'eventStoreUrl'>,
  operation: Operation,
  id: string = systemClockAndIds.newId(),
): Promise<OperationRecorded> => {
  const identified = { id, operation: operationSchema.parse(operation) }
  recordOperatorEvent(config, securityEventOf(operation))
  if (config.eventStoreUrl.startsWith('sqlite:')) return recordInFile(config, identified)
  await withStore(config.eventStoreUrl, (eventStore) => appendOperation(eventStore, identified))
  return 'recorded'
}
