import type { AuthEvent } from '@portal/contracts/auth/events'
import type { Publisher } from '@portal/platform/bus/publisher'
import { authMessage } from '../auth-messages.ts'
import { userDecider } from './decider.ts'
import type { UserEvent } from './events.ts'

/** What the others hear of a user's event. Credentials go to the log-ins alone. */
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
    case 'UserProfileChanged':
      return [{ type: 'UserProfileChanged', data: event.data }]
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
