import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, type LoadedState, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { RegistrationCommand } from './commands.ts'
import { registrationDecider, type RegistrationState } from './decider.ts'

/** The caller of a command. */
export type Caller = {
  /** Undefined for a caller without cookies. */
  readonly browserSecret: string | undefined
  /** The client address or its network; see `addressGroup`. */
  readonly address: string
  readonly metadata: EventMetadata
}

/** Shorter streams are read in a moment. */
const longStreamEvents = 50
/** A state holds at most the limits of code-limits.ts: some hundred kilobytes for an address under attack, usually one. */
const maxLongStreams = 64

/**
 * Loads registrations, and runs the commands of one e-mail address one after the other. Strangers can begin thirty registrations an hour
 * for one address, day after day, so the states of long streams are remembered: only later events are read.
 */
export const createRegistrationStreams = (eventStore: EventStore, clockAndIds: Pick<ClockAndIds, 'newId'>) => {
  const runExclusive = createKeyedMutex()
  const longStreams = boundedCache<string, LoadedState<RegistrationState>>(maxLongStreams)
  const remember = (emailIndex: string, { state, revision }: LoadedState<RegistrationState>): void => {
    if (revision !== 'no-stream' && revision >= longStreamEvents) longStreams.set(emailIndex, { state, revision })
    // The log was restored from an older copy.
    else longStreams.delete(emailIndex)
  }

  const load = async (emailIndex: string): Promise<LoadedState<RegistrationState>> => {
    const known = longStreams.get(emailIndex)
    const loaded = await loadState(eventStore, registrationDecider, emailIndex, undefined, known)
    remember(emailIndex, loaded)
    return loaded
  }

  const handle = (emailIndex: string, command: RegistrationCommand, metadata: EventMetadata) => {
    const eventId = eventIdsOf(clockAndIds.newId())
    return runExclusive(emailIndex, async () => {
      const known = await load(emailIndex)
      const options = { eventId, metadata, known }
      const handled = await handleCommand(eventStore, registrationDecider, emailIndex, command, options)
      if (handled.ok) remember(emailIndex, handled.value)
      return handled
    })
  }
  return { load, handle }
}
type RegistrationStreams = ReturnType<typeof createRegistrationStreams>
export type LoadRegistration = RegistrationStreams['load']
export type HandleRegistration = RegistrationStreams['handle']
