import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { RegistrationCommand } from './commands.ts'
import { registrationDecider } from './decider.ts'

/** Who sends a command. */
export type Caller = {
  /** Undefined for one that keeps no cookies. */
  readonly browserSecret: string | undefined
  /** Group of the network address. */
  readonly address: string
  readonly metadata: EventMetadata
}

/** Commands of one email address run one after the other. */
export const createHandleRegistration = (eventStore: EventStore, clockAndIds: Pick<ClockAndIds, 'newId'>) => {
  const runExclusive = createKeyedMutex()
  return (emailIndex: string, command: RegistrationCommand, metadata: EventMetadata) => {
    const eventId = eventIdsOf(clockAndIds.newId())
    return runExclusive(emailIndex, () =>
      handleCommand(eventStore, registrationDecider, emailIndex, command, { eventId, metadata }),
    )
  }
}
export type HandleRegistration = ReturnType<typeof createHandleRegistration>
