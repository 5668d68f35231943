import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { RegistrationCommand } from './commands.ts'
import { registrationDecider } from './decider.ts'

/** The caller of a command. */
export type Caller = {
  /** Undefined for a caller without cookies. */
  readonly browserSecret: string | undefined
  /** The client address or its network; see `addressGroup`. */
  readonly address: string
  readonly metadata: EventMetadata
}

/** Runs the commands of one e-mail address one after the other. */
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
