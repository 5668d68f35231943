import type { AuthEvent, SecondFactorRemover } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { apiKeyUseCategory } from '@portal/platform/session/api-key-record'
import { adminRosterDecider } from './admin-roster/decider.ts'
import type { EventMetadata } from '@portal/platform/event-store/port'
import { invitationDecider } from './invitation/decider.ts'
import type { InvitationEvent } from './invitation/events.ts'
import { invitationsPartition } from './invitation/projection.ts'
import { apiKeysDecider } from './api-key/decider.ts'
import { apiKeyUseEventSchema } from './api-key/events.ts'
import { registrationDecider } from './registration/decider.ts'
import { secondFactorDecider } from './second-factor/decider.ts'
import type { SecondFactorEvent } from './second-factor/events.ts'
import { sessionDecider } from './session/decider.ts'
import { userDecider } from './user/decider.ts'
import type { UserEvent } from './user/events.ts'

/**
 * The bus key and read-model partition of an event: from the e-mail index if readers look it up by address, one for
 * all invitations, from the user id otherwise.
 */
const keyOf = ({ type, data }: AuthEvent): string => {
  switch (type) {
    case 'RegistrationInitiated':
    case 'RegistrationExpired':
    case 'RegistrationCompleted':
    case 'LoginGranted':
    case 'LoginRevoked':
      return bucketKey(data.emailIndex)
    case 'InvitationSent':
    case 'InvitationResent':
    case 'InvitationWithdrawn':
    case 'InvitationAccepted':
    case 'InvitationLapsed':
      return invitationsPartition
    default:
      return bucketKey(data.userId)
  }
}

export const authMessage = (event: AuthEvent): OutgoingMessage => ({
  topic: 'auth',
  key: keyOf(event),
  type: event.type,
  data: event.data,
})

/** The auth reactor consumes those that end a registration; the directory shows EmailProved. */
export const registrationPublisher: Publisher = {
  category: registrationDecider.category,
  topics: ['auth'],
  publish: (recorded) => {
    const event = registrationDecider.parse(recorded)
    switch (event.type) {
      case 'RegistrationInitiated':
      case 'RegistrationCompleted':
      case 'RegistrationExpired':
      case 'EmailProved': {
        const { userId, emailIndex } = event.data
        return [authMessage({ type: event.type, data: { userId, emailIndex } })]
      }
      default:
        return []
    }
  },
}

/** The published events of a recorded user event. Only the login events carry the credential. */
export const publicEventsOf = (event: UserEvent): readonly AuthEvent[] => {
  switch (event.type) {
    case 'UserRegistered': {
      const { credential, ...user } = event.data
      const { emailIndex, userId, role } = user
      return [
        { type: 'UserRegistered', data: user },
        { type: 'LoginGranted', data: { emailIndex, userId, role, credential } },
      ]
    }
    case 'UserProfileChanged': {
      const { userId, profile } = event.data
      return [{ type: 'UserProfileChanged', data: { userId, profile } }]
    }
    case 'UserPasswordChanged': {
      const { endsSessions, ...login } = event.data
      return [
        { type: 'UserPasswordChanged', data: { userId: login.userId, ...(endsSessions && { endsSessions }) } },
        { type: 'LoginGranted', data: login },
      ]
    }
    case 'UserCredentialRehashed':
      return [{ type: 'LoginGranted', data: event.data }]
    case 'UserRoleChanged': {
      const { userId, role, emailIndex, credential } = event.data
      return [
        { type: 'UserRoleChanged', data: { userId, role } },
        { type: 'LoginGranted', data: { userId, role, emailIndex, credential } },
      ]
    }
    case 'UserDeactivated':
      return [event]
    case 'UserReactivated':
    case 'UserSessionsEnded':
      return [{ type: event.type, data: { userId: event.data.userId } }]
    case 'UserEmailReleased':
      return [
        { type: 'UserEmailReleased', data: { userId: event.data.userId } },
        { type: 'LoginRevoked', data: event.data },
      ]
    case 'UserErased':
      return [
        { type: 'UserErased', data: event.data },
        { type: 'LoginRevoked', data: event.data },
      ]
  }
}

export const userPublisher: Publisher = {
  category: userDecider.category,
  topics: ['auth'],
  publish: (recorded) => publicEventsOf(userDecider.parse(recorded)).map(authMessage),
}

export const apiKeysPublisher: Publisher = {
  category: apiKeysDecider.category,
  topics: ['auth'],
  publish: (recorded) => [authMessage(apiKeysDecider.parse(recorded))],
}

const readApiKeyUse = storedEventReader(apiKeyUseEventSchema)

export const apiKeyUsePublisher: Publisher = {
  category: apiKeyUseCategory,
  topics: ['auth'],
  publish: (recorded) => [authMessage(readApiKeyUse(recorded))],
}

/** The auth reactor consumes AdminRemoved. */
export const adminRosterPublisher: Publisher = {
  category: adminRosterDecider.category,
  topics: ['auth'],
  publish: (recorded) => {
    const event = adminRosterDecider.parse(recorded)
    return event.type === 'AdminRemoved' ? [authMessage(event)] : []
  },
}

/** Without the hashes of tokens and passwords. */
export const publicInvitationEventOf = (event: InvitationEvent, { actorId }: EventMetadata): AuthEvent => {
  switch (event.type) {
    case 'InvitationSent': {
      const { tokenHash: _secret, ...invitation } = event.data
      const by = userIdSchema.safeParse(actorId)
      return { type: event.type, data: { ...invitation, ...(by.success && { invitedBy: by.data }) } }
    }
    case 'InvitationResent': {
      const { userId, expiresAt } = event.data
      return { type: event.type, data: { userId, expiresAt } }
    }
    case 'InvitationAccepted': {
      const { userId, emailIndex } = event.data
      return { type: event.type, data: { userId, emailIndex } }
    }
    case 'InvitationWithdrawn':
    case 'InvitationLapsed':
      return { type: event.type, data: { userId: event.data.userId } }
  }
}

/** The auth reactor finishes what is accepted, withdrawn or lapsed. */
export const invitationPublisher: Publisher = {
  category: invitationDecider.category,
  topics: ['auth'],
  publish: (recorded) => [authMessage(publicInvitationEventOf(invitationDecider.parse(recorded), recorded.metadata))],
}

const removerOf = ({ userId, by }: { readonly userId: UserId; readonly by: string }): SecondFactorRemover => {
  if (by === userId) return 'owner'
  return userIdSchema.safeParse(by).success ? 'admin' : 'operator'
}

/** What the owner is told of, once for events that were recorded together. Has neither secrets nor hashes, and no operator's name. */
export const publicSecondFactorEventsOf = ({ type, data }: SecondFactorEvent): readonly AuthEvent[] => {
  const { userId } = data
  switch (type) {
    case 'TotpEnrolled':
      return [{ type, data: { userId } }]
    case 'PasskeyAdded':
      return [{ type, data: { userId, deviceName: data.label } }]
    case 'PasskeyRemoved':
      return data.isLast ? [] : [{ type, data: { userId } }]
    case 'RecoveryCodesIssued':
      return data.areRenewed ? [{ type, data: { userId } }] : []
    case 'SecondFactorRemoved':
      return data.wasOff ? [] : [{ type, data: { userId, by: removerOf(data) } }]
    case 'TotpOffered':
    case 'TotpCodeUsed':
    case 'PasskeyUsed':
    case 'RecoveryCodeUsed':
      return []
  }
}

export const secondFactorPublisher: Publisher = {
  category: secondFactorDecider.category,
  topics: ['auth'],
  publish: (recorded) => publicSecondFactorEventsOf(secondFactorDecider.parse(recorded)).map(authMessage),
}

export const sessionPublisher: Publisher = {
  category: sessionDecider.category,
  topics: ['auth'],
  publish: (recorded) => [authMessage(sessionDecider.parse(recorded))],
}
