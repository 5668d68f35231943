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

/** 'spooled': on disk. The process that owns the event store records it within about a second, or at its next start. */
type OperationRecorded = 'recorded' | 'spooled'

/** Operations wait here while another process owns the event store. */
export const spoolFolderIn = (dataDir: string): string => join(dataDir, 'operations')

const operationSpool = (
  folder: string,
  eventStore: Pick<EventStore, 'append'>,
): Pick<Spool, 'folder' | 'handle' | 'rejectedMessage'> => ({
  folder,
  handle: async (content) => {
    const parsed = identifiedOperationSchema.safeParse(content)
    if (!parsed.success) return 'rejected'
    await appendOperation(eventStore, parsed.data)
    return 'done'
  },
  rejectedMessage: 'malformed operation in spool, set aside',
})

/** Records the operations in the spool. Returns their number. */
export const recordFromSpool = (
  folder: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error'>,
): Promise<number> => handleSpool({ ...operationSpool(folder, eventStore), logger })

/** Records the operations of commands while this process owns the event store, until it is stopped. */
export const startRecordingFromSpool = (
  dataDir: string,
  eventStore: Pick<EventStore, 'append'>,
  logger: Pick<Logger, 'error' | 'warn'>,
): Polling =>
  watchSpool({
    ...operationSpool(spoolFolderIn(dataDir), eventStore),
    logger,
    failureMessage: 'recording operations failed, retrying',
  })

const withStore = async (url: string, work: (eventStore: EventStore) => Promise<unknown>): Promise<void> => {
  const eventStore = await openEventStore(url)
  try {
    await work(eventStore)
  } finally {
    await eventStore.close()
  }
}

/** Always uses the spool, so that a crash of this process does not lose the operation. */
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
    if (error instanceof DataFolderInUseError) return 'spooled'
    throw error
  }
}

export const securityEventOf = ({ type, data }: Operation): SecurityEvent => ({
  event: type === 'PersonalDataShown' ? 'personal-data-unmasked' : 'operation-run',
  result: 'ok',
  operator: data.by,
  target: type,
})

/**
 * Records durably what an operator did or is about to do. When it resolves, the operation is in the event store or in the spool.
 * Idempotent for the same `id`, a UUID.
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
