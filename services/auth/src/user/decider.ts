import type { EndedSessions, EncryptedText } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type UserEvent, userEventSchema } from './events.ts'

export type UserCommand =
  | {
      readonly type: 'RegisterUser'
      readonly userId: UserId
      readonly role: Role
      readonly emailIndex: string
      readonly profile: EncryptedText
      readonly credential: EncryptedText
      readonly emailVerified?: boolean | undefined
    }
  /** The owner of the address takes it back from this user, who never proved it. */
  | { readonly type: 'ReleaseUserEmail' }
  | { readonly type: 'ChangeProfile'; readonly profile: EncryptedText; readonly isLanguageOnly?: boolean }
  /** Change by the user, who knows the password behind `replaces` or reads the mail of its owner. */
  | {
      readonly type: 'ChangePassword'
      readonly replaces: EncryptedText
      readonly credential: EncryptedText
      readonly endsSessions: EndedSessions
    }
  /** Change by an operator, whatever the current password is. */
  | { readonly type: 'SetPassword'; readonly credential: EncryptedText }
  /** `replaces`: the credential that was rehashed. Has no effect if the password changed meanwhile. */
  | { readonly type: 'RehashCredential'; readonly replaces: EncryptedText; readonly credential: EncryptedText }
  /** Replaces the password too, so that knowing the former one gives no admin access. A repetition changes nothing. */
  | { readonly type: 'MakeAdmin'; readonly credential: EncryptedText; readonly by: string }
  /** Change by another admin, after which the user keeps the password. */
  | ({ readonly type: 'ChangeRole'; readonly role: Role; readonly by: UserId } & UnlessAdmin & UnlessNewAdmin)
  | ({ readonly type: 'DeactivateUser'; readonly reason: EncryptedText } & UnlessAdmin)
  | ({ readonly type: 'ReactivateUser' } & UnlessNewAdmin)
  | { readonly type: 'EndSessions' }
  | ({ readonly type: 'EraseUser' } & UnlessAdmin)

/** For a caller that has not asked the admin roster, because the account was no active admin when it was read. */
export type UnlessAdmin = { readonly unlessAdmin?: true }

/** The same, because by what was read the account would not become one. */
type UnlessNewAdmin = { readonly unlessNewAdmin?: true }

export type ActiveUser = {
  readonly status: 'active'
  readonly userId: UserId
  readonly role: Role
  readonly emailIndex: string
  readonly profile: EncryptedText
  readonly credential: EncryptedText
  /** Earlier hashes of the same password, at a lower cost. */
  readonly earlierCredentials: readonly EncryptedText[]
  /** Why an admin deactivated the account; undefined unless it is. */
  readonly deactivatedFor?: EncryptedText | undefined
}
/** Has no address, so cannot log in. */
type ReleasedUser = { readonly status: 'released'; readonly userId: UserId; readonly emailIndex: string }
export type UserState = { readonly status: 'none' } | ActiveUser | ReleasedUser | { readonly status: 'erased' }

/**
 * 'is-admin': the account became an active admin after the caller had read it. 'becomes-admin': it would become one, because its role or
 * state changed meanwhile.
 */
export type UserRejection = 'no-such-user' | 'password-has-changed' | 'is-admin' | 'becomes-admin'

export const userDecider: Decider<UserState, UserCommand, UserEvent, UserRejection> = {
  category: 'user',
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'RegisterUser') {
      // Registration may be completed more than once.
      if (state.status !== 'none') return ok([])
      const { userId, role, emailIndex, profile, credential, emailVerified } = command
      const unverified = emailVerified === false ? { emailVerified } : {}
      return ok([{ type: 'UserRegistered', data: { userId, role, emailIndex, profile, credential, ...unverified } }])
    }
    if (state.status === 'erased' && command.type === 'EraseUser') return ok([])
    if (command.type === 'ReleaseUserEmail') {
      if (state.status !== 'active') return ok([])
      const { userId, emailIndex } = state
      return ok([{ type: 'UserEmailReleased', data: { userId, emailIndex } }])
    }
    if (state.status === 'released' && command.type === 'EraseUser') {
      const { userId, emailIndex } = state
      return ok([{ type: 'UserErased', data: { userId, emailIndex } }])
    }
    if (state.status !== 'active') return rejected('no-such-user')
    // Stryker disable next-line LogicalOperator: other commands lack it; the condition is for the types
    if ('unlessAdmin' in command && command.unlessAdmin && isActiveAdmin(state)) return rejected('is-admin')
    const { userId, role, emailIndex } = state
    switch (command.type) {
      case 'ChangeProfile': {
        const { profile, isLanguageOnly } = command
        const data = { userId, profile, ...(isLanguageOnly && { isLanguageOnly }) }
        return ok([{ type: 'UserProfileChanged', data }])
      }
      case 'ChangePassword': {
        if (!isOfCurrentPassword(state, command.replaces)) return rejected('password-has-changed')
        const { credential, endsSessions } = command
        return ok([{ type: 'UserPasswordChanged', data: { userId, role, emailIndex, credential, endsSessions } }])
      }
      case 'SetPassword':
        return ok([{ type: 'UserPasswordChanged', data: { userId, role, emailIndex, credential: command.credential } }])
      case 'RehashCredential':
        return state.credential === command.replaces
          ? ok([{ type: 'UserCredentialRehashed', data: { userId, role, emailIndex, credential: command.credential } }])
          : ok([])
      case 'MakeAdmin': {
        const { credential, by } = command
        if (credential === state.credential) return ok([])
        const login = { userId, emailIndex, credential }
        // The former password stops working before the role changes.
        const passwordChanged = {
          type: 'UserPasswordChanged',
          data: { ...login, role, endsSessions: { reason: 'password-reset' } },
        } as const
        const reactivated =
          state.deactivatedFor === undefined ? [] : [{ type: 'UserReactivated', data: { userId } } as const]
        if (role === 'admin') return ok([passwordChanged, ...reactivated])
        const roleChanged = { type: 'UserRoleChanged', data: { ...login, role: 'admin', by } } as const
        return ok([passwordChanged, roleChanged, ...reactivated])
      }
      case 'ChangeRole': {
        const { by } = command
        if (command.role === role) return ok([])
        if (command.unlessNewAdmin && command.role === 'admin' && !isDeactivated(state))
          return rejected('becomes-admin')
        const { credential } = state
        return ok([{ type: 'UserRoleChanged', data: { userId, emailIndex, credential, role: command.role, by } }])
      }
      case 'DeactivateUser':
        if (isDeactivated(state)) return ok([])
        return ok([{ type: 'UserDeactivated', data: { userId, reason: command.reason } }])
      case 'ReactivateUser':
        if (!isDeactivated(state)) return ok([])
        if (command.unlessNewAdmin && role === 'admin') return rejected('becomes-admin')
        return ok([{ type: 'UserReactivated', data: { userId } }])
      case 'EndSessions':
        return ok([{ type: 'UserSessionsEnded', data: { userId } }])
      case 'EraseUser':
        return ok([{ type: 'UserErased', data: { userId, emailIndex } }])
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'UserRegistered':
        return { status: 'active', ...event.data, earlierCredentials: [] }
      case 'UserProfileChanged':
        return state.status === 'active' ? { ...state, profile: event.data.profile } : state
      case 'UserPasswordChanged':
        return state.status === 'active'
          ? { ...state, credential: event.data.credential, earlierCredentials: [] }
          : state
      case 'UserCredentialRehashed':
        return state.status === 'active' ? rehashed(state, event.data.credential) : state
      case 'UserRoleChanged':
        return state.status === 'active' ? { ...state, role: event.data.role } : state
      case 'UserDeactivated':
        return state.status === 'active' ? { ...state, deactivatedFor: event.data.reason } : state
      case 'UserReactivated':
        return state.status === 'active' ? { ...state, deactivatedFor: undefined } : state
      case 'UserSessionsEnded':
        return state
      case 'UserEmailReleased':
        return { status: 'released', ...event.data }
      case 'UserErased':
        return { status: 'erased' }
    }
  },

  parse: storedEventReader(userEventSchema),
}

const rehashed = (user: ActiveUser, credential: EncryptedText): ActiveUser => ({
  ...user,
  credential,
  earlierCredentials: [...user.earlierCredentials, user.credential],
})

/** Returns whether this hash is of the current password. Two hashes of one password differ. */
export const isOfCurrentPassword = (user: UserState, credential: EncryptedText): boolean =>
  user.status === 'active' && [user.credential, ...user.earlierCredentials].includes(credential)

// Stryker disable next-line ConditionalExpression: no other state has a reason; the condition is for the types
export const isDeactivated = (user: UserState): boolean => user.status === 'active' && user.deactivatedFor !== undefined

export const isActiveAdmin = (user: UserState): boolean =>
  // Stryker disable next-line ConditionalExpression: no other state has a role; the condition is for the types
  user.status === 'active' && user.role === 'admin' && !isDeactivated(user)
