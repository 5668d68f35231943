import { type EndedSessions, encryptedTextSchema } from '@portal/contracts/auth/events'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import {
  type ActiveUser,
  isActiveAdmin,
  isOfCurrentPassword,
  type UserCommand,
  userDecider,
  type UserState,
} from './decider.ts'
import type { UserEvent } from './events.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const encrypted = (text: string) => encryptedTextSchema.parse(text)
const user = {
  userId,
  role: 'student',
  emailIndex: 'index',
  profile: encrypted('profile'),
  credential: encrypted('credential'),
} as const

const registered: UserEvent = { type: 'UserRegistered', data: user }
const erased: UserEvent = { type: 'UserErased', data: { userId, emailIndex: 'index' } }
const login = { userId, role: 'student', emailIndex: 'index' } as const

const endsSessions = {
  reason: 'password-changed',
  except: sessionIdSchema.parse('01980000-0000-7000-8000-00000000000a'),
} as const
const changed = (credential: string, ends?: EndedSessions): UserEvent => ({
  type: 'UserPasswordChanged',
  data: { ...login, credential: encrypted(credential), ...(ends && { endsSessions: ends }) },
})
const changePassword = (replaces: string, credential: string): UserCommand => ({
  type: 'ChangePassword',
  replaces: encrypted(replaces),
  credential: encrypted(credential),
  endsSessions,
})

const { given } = specification(userDecider)
const after = (...events: readonly UserEvent[]): UserState =>
  events.reduce<UserState>((state, event) => userDecider.evolve(state, event), userDecider.initial)

describe('registering a user', () => {
  test('says of an address only that it is not proved', () => {
    given([])
      .when({ type: 'RegisterUser', ...user, emailVerified: false })
      .then([{ type: 'UserRegistered', data: { ...user, emailVerified: false } }])
    for (const emailVerified of [true, undefined])
      given([])
        .when({ type: 'RegisterUser', ...user, emailVerified })
        .then([registered])
  })
  test('is recorded', () =>
    given([])
      .when({ type: 'RegisterUser', ...user })
      .then([registered]))
  test('a second time changes nothing', () =>
    given([registered])
      .when({ type: 'RegisterUser', ...user, role: 'admin' })
      .thenNothing())
  test('does not bring an erased user back', () =>
    given([registered, erased])
      .when({ type: 'RegisterUser', ...user })
      .thenNothing())
})

const makeAdmin = { type: 'MakeAdmin', credential: encrypted('new'), by: 'operator' } as const

describe('making an admin', () => {
  const replaced = changed('new', { reason: 'password-reset' })
  const promoted: UserEvent = {
    type: 'UserRoleChanged',
    data: { ...login, role: 'admin', credential: encrypted('new'), by: 'operator' },
  }

  test('replaces the password, then changes the role', () =>
    given([registered]).when(makeAdmin).then([replaced, promoted]))
  test('again with the same credential changes nothing', () =>
    given([registered, replaced, promoted]).when(makeAdmin).thenNothing())
  test('of an admin replaces the password only', () =>
    given([{ type: 'UserRegistered', data: { ...user, role: 'admin' } }])
      .when(makeAdmin)
      .then([
        {
          type: 'UserPasswordChanged',
          data: {
            ...login,
            role: 'admin',
            credential: encrypted('new'),
            endsSessions: { reason: 'password-reset' },
          },
        },
      ]))
  test('later changes keep the role', () =>
    given([registered, replaced, promoted])
      .when({ type: 'SetPassword', credential: encrypted('set') })
      .then([{ type: 'UserPasswordChanged', data: { ...login, role: 'admin', credential: encrypted('set') } }]))
})

test('all sessions of a user end at the wish of an admin, also if they have ended before', () => {
  const ended: UserEvent = { type: 'UserSessionsEnded', data: { userId } }
  given([registered]).when({ type: 'EndSessions' }).then([ended])
  given([registered, ended]).when({ type: 'EndSessions' }).then([ended])
  given([registered, erased]).when({ type: 'EndSessions' }).thenRejected('no-such-user')
})

const reason = encrypted('reason')
const deactivated: UserEvent = { type: 'UserDeactivated', data: { userId, reason } }
const reactivated: UserEvent = { type: 'UserReactivated', data: { userId } }
const admin = userIdSchema.parse('01980000-0000-7000-8000-000000000002')

describe('deactivating a user', () => {
  const deactivate = { type: 'DeactivateUser', reason } as const
  const reactivate = { type: 'ReactivateUser' } as const

  test('is recorded once, and can be taken back once', () => {
    given([registered]).when(deactivate).then([deactivated])
    given([registered, deactivated]).when(deactivate).thenNothing()
    given([registered, deactivated]).when(reactivate).then([reactivated])
    given([registered, deactivated, reactivated]).when(reactivate).thenNothing()
    given([registered, deactivated, reactivated]).when(deactivate).then([deactivated])
  })
  test('is not possible once the user is erased', () =>
    given([registered, erased]).when(deactivate).thenRejected('no-such-user'))
  test('ends when an operator makes the user an admin', () =>
    given([registered, deactivated])
      .when(makeAdmin)
      .then([
        changed('new', { reason: 'password-reset' }),
        {
          type: 'UserRoleChanged',
          data: { ...login, role: 'admin', credential: encrypted('new'), by: 'operator' },
        },
        reactivated,
      ]))
  test('does not prevent the erasure', () =>
    given([registered, deactivated]).when({ type: 'EraseUser' }).then([erased]))
})

describe('changing a role', () => {
  const change = { type: 'ChangeRole', role: 'faculty', by: admin } as const

  test('keeps the password and names the admin', () =>
    given([registered])
      .when(change)
      .then([
        {
          type: 'UserRoleChanged',
          data: { ...login, role: 'faculty', credential: encrypted('credential'), by: admin },
        },
      ]))
  test('makes no active admin for a caller that has not asked the roster', () => {
    const promote = { type: 'ChangeRole', role: 'admin', by: admin, unlessNewAdmin: true } as const
    const reactivate = { type: 'ReactivateUser', unlessNewAdmin: true } as const
    const promoted: UserEvent = {
      type: 'UserRoleChanged',
      data: { ...login, role: 'admin', credential: encrypted('credential'), by: admin },
    }
    given([registered, deactivated]).when(promote).then([promoted])
    given([registered])
      .when({ ...promote, role: 'faculty' })
      .then([{ ...promoted, data: { ...promoted.data, role: 'faculty' } }])
    given([registered]).when(promote).thenRejected('becomes-admin')
    given([registered, promoted]).when(promote).thenNothing()
    given([registered, deactivated]).when(reactivate).then([reactivated])
    given([registered, deactivated, promoted]).when(reactivate).thenRejected('becomes-admin')
    given([registered, promoted]).when(reactivate).thenNothing()
  })
  test('to the same one changes nothing', () =>
    given([registered])
      .when({ ...change, role: 'student' })
      .thenNothing())
})

describe('changing a user', () => {
  test('records the new profile', () => {
    given([registered])
      .when({ type: 'ChangeProfile', profile: encrypted('new') })
      .then([{ type: 'UserProfileChanged', data: { userId, profile: encrypted('new') } }])
    given([registered])
      .when({ type: 'ChangeProfile', profile: encrypted('new'), isLanguageOnly: true })
      .then([{ type: 'UserProfileChanged', data: { userId, profile: encrypted('new'), isLanguageOnly: true } }])
  })

  test('records the new credential with the login data and the sessions to end', () => {
    given([registered])
      .when(changePassword('credential', 'new'))
      .then([changed('new', endsSessions)])
  })

  test('with the old password changes nothing', () => {
    given([registered, changed('other')])
      .when(changePassword('credential', 'new'))
      .thenRejected('password-has-changed')
  })

  test('treats a rehashed password as the same', () => {
    const rehashed: UserEvent = {
      type: 'UserCredentialRehashed',
      data: { ...login, credential: encrypted('stronger') },
    }
    given([registered, rehashed])
      .when(changePassword('credential', 'new'))
      .then([changed('new', endsSessions)])
    given([registered, rehashed, changed('other')])
      .when(changePassword('stronger', 'new'))
      .thenRejected('password-has-changed')
  })

  test('sets a password for an operator without checking the old one, and ends no session', () => {
    given([registered, changed('other')])
      .when({ type: 'SetPassword', credential: encrypted('new') })
      .then([changed('new')])
  })

  test('records a rehashed credential', () => {
    given([registered])
      .when({ type: 'RehashCredential', replaces: encrypted('credential'), credential: encrypted('stronger') })
      .then([{ type: 'UserCredentialRehashed', data: { ...login, credential: encrypted('stronger') } }])
  })

  test('ignores a rehash of a password that has changed meanwhile', () => {
    given([registered, changed('other password')])
      .when({ type: 'RehashCredential', replaces: encrypted('credential'), credential: encrypted('stronger') })
      .thenNothing()
  })
})

describe('erasing a user', () => {
  test('is recorded', () => given([registered]).when({ type: 'EraseUser' }).then([erased]))
  test('a second time changes nothing', () => given([registered, erased]).when({ type: 'EraseUser' }).thenNothing())
})

describe('an address that its owner takes back', () => {
  const release = { type: 'ReleaseUserEmail' } as const
  const released: UserEvent = { type: 'UserEmailReleased', data: { userId, emailIndex: 'index' } }

  test('is released once, and only by a user who has it', () => {
    given([registered]).when(release).then([released])
    for (const events of [[], [registered, released], [registered, erased]]) given(events).when(release).thenNothing()
  })
  test('leaves nothing of the user but what an erasure names', () => {
    expect(after(registered, released)).toEqual({ status: 'released', userId, emailIndex: 'index' })
    given([registered, released]).when({ type: 'EraseUser' }).then([erased])
    given([registered, released])
      .when({ type: 'SetPassword', credential: encrypted('new') })
      .thenRejected('no-such-user')
  })
})

const changes: UserCommand[] = [
  { type: 'ChangeProfile', profile: encrypted('new') },
  changePassword('credential', 'new'),
  { type: 'SetPassword', credential: encrypted('new') },
  { type: 'RehashCredential', replaces: encrypted('credential'), credential: encrypted('new') },
]

test('nothing can be changed of an unknown or erased user', () => {
  for (const command of [...changes, makeAdmin]) {
    given([]).when(command).thenRejected('no-such-user')
    given([registered, erased]).when(command).thenRejected('no-such-user')
  }
  given([]).when({ type: 'EraseUser' }).thenRejected('no-such-user')
})

test('an active admin is kept by callers that have not asked the roster', () => {
  const root: UserEvent = { type: 'UserRegistered', data: { ...user, role: 'admin' } }
  const demoted: UserEvent = {
    type: 'UserRoleChanged',
    data: { ...login, role: 'faculty', credential: encrypted('credential'), by: admin },
  }
  const kept: readonly (readonly [UserCommand, UserEvent])[] = [
    [{ type: 'EraseUser', unlessAdmin: true }, erased],
    [{ type: 'DeactivateUser', reason, unlessAdmin: true }, deactivated],
    [{ type: 'ChangeRole', role: 'faculty', by: admin, unlessAdmin: true }, demoted],
  ]
  for (const [command, event] of kept) {
    given([root]).when(command).thenRejected('is-admin')
    given([registered]).when(command).then([event])
  }
  given([root, deactivated]).when({ type: 'EraseUser', unlessAdmin: true }).then([erased])
  given([root]).when({ type: 'EraseUser' }).then([erased])
  expect([[root], [root, deactivated], [registered], []].map((events) => isActiveAdmin(after(...events)))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

/** What each event makes of each state, also of those in which no command records it. */
const profileChanged: UserEvent = { type: 'UserProfileChanged', data: { userId, profile: encrypted('other') } }
const rehashed: UserEvent = { type: 'UserCredentialRehashed', data: { ...login, credential: encrypted('second') } }
const passwordChanged = changed('third')
const roleChanged: UserEvent = {
  type: 'UserRoleChanged',
  data: { ...login, role: 'admin', credential: encrypted('third'), by: 'operator' },
}

const active: ActiveUser = {
  status: 'active',
  ...login,
  profile: encrypted('profile'),
  credential: encrypted('credential'),
  earlierCredentials: [],
}
test('keeps the recorded stream category', () => expect(userDecider.category).toBe('user'))

describe('an active user', () => {
  test('has the registered data', () => expect(after(registered)).toEqual(active))
  test('gets another profile', () =>
    expect(after(registered, profileChanged)).toEqual({ ...active, profile: encrypted('other') }))
  test('keeps earlier hashes of the same password', () =>
    expect(after(registered, rehashed)).toEqual({
      ...active,
      credential: encrypted('second'),
      earlierCredentials: [encrypted('credential')],
    }))
  test('has no earlier hashes of a new password', () =>
    expect(after(registered, rehashed, passwordChanged)).toEqual({ ...active, credential: encrypted('third') }))
  test('gets another role', () => expect(after(registered, roleChanged)).toEqual({ ...active, role: 'admin' }))
})

test('a user who does not exist or was erased has no password, and no event changes that', () => {
  for (const state of [after(), after(registered, erased)]) {
    const events = [profileChanged, rehashed, passwordChanged, roleChanged, deactivated, reactivated]
    expect(events.filter((event) => userDecider.evolve(state, event) !== state)).toEqual([])
    expect(isOfCurrentPassword(state, encrypted('credential'))).toBe(false)
  }
})

test('an erased user has no data', () => expect(after(registered, erased)).toEqual({ status: 'erased' }))

test('recognizes the current password by its hash and by earlier hashes', () => {
  const rehashedUser = after(registered, rehashed)
  expect(isOfCurrentPassword(rehashedUser, encrypted('credential'))).toBe(true)
  expect(isOfCurrentPassword(rehashedUser, encrypted('second'))).toBe(true)
  expect(isOfCurrentPassword(rehashedUser, encrypted('third'))).toBe(false)
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => userDecider.parse({ type: 'UserPromoted', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => userDecider.parse({ type: 'UserErased', data: { userId: 'nobody' } })).toThrow(ZodError)
})
