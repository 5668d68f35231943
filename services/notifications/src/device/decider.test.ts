import { sealedTextSchema } from '@portal/contracts/auth/events'
import { specification } from '@portal/platform/decider/specification'
import { describe, it } from 'vitest'
import { sessionIdAt, userIdAt } from '../testing/samples.ts'
import type { RegisterToken } from './commands.ts'
import { deviceDecider } from './decider.ts'
import type { DeviceEvent } from './events.ts'

const { given } = specification(deviceDecider)
const tokenIndex = 'index'
const token = sealedTextSchema.parse('sealed')

const registering = (user: number, session: number): RegisterToken => ({
  type: 'RegisterToken',
  tokenIndex,
  userId: userIdAt(user),
  sessionId: sessionIdAt(session),
  token,
})
const registered = (user: number, session: number): DeviceEvent => ({
  type: 'PushTokenRegistered',
  data: { tokenIndex, userId: userIdAt(user), sessionId: sessionIdAt(session), token },
})
const removed = (user: number, reason: 'moved' | 'logged-out' | 'unregistered'): DeviceEvent => ({
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
  it('stays when it belongs to somebody else by now', () => {
    given([registered(1, 1), removed(1, 'moved'), registered(2, 2)])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .thenNothing()
  })
})
