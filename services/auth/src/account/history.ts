import type { AccountHistoryEntry } from '@portal/contracts/auth/accounts'
import type { EncryptedText } from '@portal/contracts/auth/events'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { EventMetadata, RecordedEvent } from '@portal/platform/event-store/port'
import type { RegistrationEvent } from '../registration/events.ts'
import type { SecondFactorEvent } from '../second-factor/events.ts'
import type { UserEvent } from '../user/events.ts'

/** Who did it: an account, or an operator by their name. Undefined if the log does not say. */
type Doer = { readonly userId: UserId } | { readonly operator: string } | undefined

/** An entry before its names are looked up and its reason is decrypted. */
export type HistoryRecord = Pick<AccountHistoryEntry, 'at' | 'what' | 'role'> & {
  readonly doer: Doer
  readonly encryptedReason?: EncryptedText
}

type Recorded = Pick<RecordedEvent, 'at' | 'metadata'>

const actorOf = ({ actorId }: EventMetadata): UserId | undefined => userIdSchema.safeParse(actorId).data

/** Only a request has a correlation id. One without a session comes from the person: a registration, or a mailed link. */
const doerOf = (userId: UserId, metadata: EventMetadata): Doer => {
  const actor = actorOf(metadata)
  if (actor !== undefined) return { userId: actor }
  return metadata.correlationId === undefined ? undefined : { userId }
}

const timeOf = ({ at, metadata }: Recorded): string => metadata.occurredAt ?? at

/** What an event of the account's stream did to it; undefined if nothing that a person would ask about. */
export const recordOfUserEvent = ({ type, data }: UserEvent, recorded: Recorded): HistoryRecord | undefined => {
  const { userId } = data
  const done = { at: timeOf(recorded), doer: doerOf(userId, recorded.metadata) }
  const actor = actorOf(recorded.metadata)
  switch (type) {
    case 'UserRegistered':
      return { ...done, what: 'registered' }
    case 'UserProfileChanged':
      if (data.isLanguageOnly) return undefined
      return { ...done, what: actor === undefined || actor === userId ? 'name-changed' : 'corrected' }
    case 'UserPasswordChanged':
      return { ...done, what: passwordActionOf(data.endsSessions?.reason) }
    case 'UserRoleChanged':
      return { ...done, doer: actor ? { userId: actor } : { operator: data.by }, what: 'role-changed', role: data.role }
    case 'UserDeactivated':
      return { ...done, what: 'deactivated', encryptedReason: data.reason }
    case 'UserReactivated':
      return { ...done, what: 'reactivated' }
    case 'UserSessionsEnded':
      return { ...done, what: 'signed-out' }
    case 'UserCredentialRehashed':
    case 'UserEmailReleased':
    case 'UserErased':
      return undefined
  }
}

const passwordActionOf = (reason: string | undefined) => {
  switch (reason) {
    case undefined:
      return 'password-set'
    case 'password-reset':
      return 'password-reset'
    default:
      return 'password-changed'
  }
}

/** The same of the stream of the second factors. What the person does with it is theirs. */
export const recordOfSecondFactorEvent = (
  { type, data }: SecondFactorEvent,
  recorded: Recorded,
): HistoryRecord | undefined => {
  if (type !== 'SecondFactorRemoved' || data.by === data.userId || data.wasOff) return undefined
  const actor = actorOf(recorded.metadata)
  const doer = actor === undefined ? { operator: data.by } : { userId: actor }
  return { at: timeOf(recorded), doer, what: 'second-factor-reset' }
}

/** The same of the stream of the account's address. */
export const recordOfRegistrationEvent = (
  userId: UserId,
  event: RegistrationEvent,
  recorded: Recorded,
): HistoryRecord | undefined =>
  event.type === 'EmailProved' && event.data.userId === userId
    ? { at: timeOf(recorded), doer: { userId }, what: 'email-proved' }
    : undefined
