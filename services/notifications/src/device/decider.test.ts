import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, it } from 'vitest'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { deviceDecider, type RegisterToken } from './decider.ts'
import type { DeviceEvent, RemovalReason } from './events.ts'

const { given } = specification(deviceDecider)
const tokenIndex = 'index'
const token = encryptedTextSchema.parse('sealed')

const registering = (user: number, session: number, isKept = true): RegisterToken => ({
  type: 'RegisterToken',
  tokenIndex,
  userId: userIdAt(user),
  sessionId: sessionIdAt(session),
  token,
  isKept,
})
const registered = (user: number, session: number): DeviceEvent => ({
  type: 'PushTokenRegistered',
  data: { tokenIndex, userId: userIdAt(user), sessionId: sessionIdAt(session), token },
})
const removed = (user: number, reason: RemovalReason): DeviceEvent => ({
  type: 'PushTokenRemoved',
  data: { tokenIndex, userId: userIdAt(user), reason },
})

describe('registering', () => {
  it('gives the token to the user', () => {
    given([])
      .when(registering(1, 1))
      .then([registered(1, 1)])
  })
  it('again in the same session changes nothing', () => {
    given([registered(1, 1)])
      .when(registering(1, 1))
      .thenNothing()
  })
  it('again gives it anew when it is no longer kept, whatever is recorded', () => {
    given([registered(1, 1)])
      .when(registering(1, 1, false))
      .then([registered(1, 1)])
  })
  it('in a later session ties the token to that one', () => {
    given([registered(1, 1)])
      .when(registering(1, 2))
      .then([registered(1, 2)])
  })
  it('by somebody else moves it', () => {
    given([registered(1, 1)])
      .when(registering(2, 2))
      .then([removed(1, 'moved'), registered(2, 2)])
  })
  it('after a removal gives it anew', () => {
    given([registered(1, 1), removed(1, 'logged-out')])
      .when(registering(1, 1))
      .then([registered(1, 1)])
  })
})

describe('a registration that newer ones have taken the place of', () => {
  const superseding = (of = token) => ({ type: 'SupersedeToken', tokenIndex, token: of }) as const

  it('is removed', () => {
    given([registered(1, 1)])
      .when(superseding())
      .then([removed(1, 'superseded')])
  })
  it('takes no later registration of the same token with it', () => {
    given([registered(1, 1)])
      .when(superseding(encryptedTextSchema.parse('sealed before')))
      .thenNothing()
  })
  it('twice changes nothing', () => {
    given([registered(1, 1), removed(1, 'superseded')])
      .when(superseding())
      .thenNothing()
  })
})

describe('the end of a session', () => {
  const ending = (session: number) =>
    ({ type: 'EndSessionOfToken', tokenIndex, sessionId: sessionIdAt(session) }) as const

  it('takes its token away', () => {
    given([registered(1, 1)])
      .when(ending(1))
      .then([removed(1, 'logged-out')])
  })
  it('leaves a token alone that has passed to another session', () => {
    given([registered(1, 1), registered(1, 2)])
      .when(ending(1))
      .thenNothing()
  })
  it('twice changes nothing', () => {
    given([registered(1, 1), removed(1, 'logged-out')])
      .when(ending(1))
      .thenNothing()
  })
})

describe('a token that the provider no longer knows', () => {
  it('is removed', () => {
    given([registered(1, 1)])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .then([removed(1, 'unregistered')])
  })
  it('that nobody has is left alone', () => {
    given([])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .thenNothing()
  })
  it('stays when it belongs to somebody else by now', () => {
    given([registered(1, 1), removed(1, 'moved'), registered(2, 2)])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .thenNothing()
  })
})

it('the category is part of every recorded stream', () => expect(deviceDecider.category).toBe('device'))
