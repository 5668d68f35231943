import { deterministicEventId } from '../decider/event-id.ts'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { type IdentifiedOperation, operationCategory } from './operation.ts'

export const isOperationRecorded = async (eventStore: Pick<EventStore, 'read'>, id: string): Promise<boolean> => {
  const stream = eventStore.read(streamOf(operationCategory, id))[Symbol.asyncIterator]()
  const first = await stream.next()
  await stream.return?.()
  return first.done !== true
}

/** Records an operation, once however often it is called. */
export const appendOperation = async (
  eventStore: Pick<EventStore, 'append'>,
  { id, operation }: IdentifiedOperation,
): Promise<void> => {
  const event = { id: deterministicEventId('operation', id), ...operation }
  const appended = await eventStore.append(streamOf(operationCategory, id), 'any', [event])
  if (appended.kind === 'conflict') throw new Error('The store reported a conflict where none can be')
}
