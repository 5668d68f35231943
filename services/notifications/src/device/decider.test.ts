import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, it } from 'vitest'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { deviceDecider, type RegisterToken } from './decider.ts'
import type { DeviceEvent, RemovalReason } from './events.ts'

const { given } = specification(deviceDecider)
const tokenIndex = 'index'
const token = encryptedTextSchema.parse('encrypted')

const registering = (user: number, session: number, isKept = true, isFirstUseOfDay = false): RegisterToken => ({
  type: 'RegisterToken',
  tokenIndex,
  userId: userIdAt(user),
  sessionId: sessionIdAt(session),
  token,
  deviceName: 'Chrome on Android',
  isKept,
  isFirstUseOfDay,
})
const registered = (user: number, session: number): DeviceEvent => ({
  type: 'PushTokenRegistered',
  data: { tokenIndex, userId: userIdAt(user), sessionId: sessionIdAt(session), token, deviceName: 'Chrome on Android' },
})
const removed = (user: number, reason: RemovalReason): DeviceEvent => ({
  type: 'PushTokenRemoved',
  data: { tokenIndex, userId: userIdAt(user), reason },
})

describe('registering', () => {
  it('assigns the token to the user', () => {
    given([])
      .when(registering(1, 1))
      .then([registered(1, 1)])
  })
  it('again in the same session changes nothing', () => {
    given([registered(1, 1)])
      .when(registering(1, 1))
      .thenNothing()
  })
  it('again on a later day records the use, unless the user has removed the device', () => {
    const data = { tokenIndex, userId: userIdAt(1) }
    const used: DeviceEvent = { type: 'PushTokenUsed', data }
    given([registered(1, 1)])
      .when(registering(1, 1, true, true))
      .then([used])
    given([registered(1, 1), used])
      .when(registering(1, 1))
      .thenNothing()
    given([registered(1, 1), { type: 'PushTokenRevoked', data }])
      .when(registering(1, 1, true, true))
      .thenNothing()
  })
  it('again is recorded if the token is no longer kept', () => {
    given([registered(1, 1)])
      .when(registering(1, 1, false))
      .then([registered(1, 1)])
  })
  it('in a later session assigns the token to that session', () => {
    given([registered(1, 1)])
      .when(registering(1, 2))
      .then([registered(1, 2)])
  })
  it('by another user moves it', () => {
    given([registered(1, 1)])
      .when(registering(2, 2))
      .then([removed(1, 'moved'), registered(2, 2)])
  })
  it('after a removal records it again', () => {
    given([registered(1, 1), removed(1, 'logged-out')])
      .when(registering(1, 1))
      .then([registered(1, 1)])
  })
})

describe('a registration displaced by newer ones', () => {
  const superseding = (of = token) => ({ type: 'SupersedeToken', tokenIndex, token: of }) as const

  it('is removed', () => {
    given([registered(1, 1)])
      .when(superseding())
      .then([removed(1, 'superseded')])
  })
  it('leaves a later registration of the same token', () => {
    given([registered(1, 1)])
      .when(superseding(encryptedTextSchema.parse('encrypted before')))
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

  it('removes its token', () => {
    given([registered(1, 1)])
      .when(ending(1))
      .then([removed(1, 'logged-out')])
  })
  it('leaves a token that has moved to another session', () => {
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

describe('a device that its user removes', () => {
  const revoking = (user: number) => ({ type: 'RevokeToken', tokenIndex, userId: userIdAt(user) }) as const
  const revoked = (user: number): DeviceEvent => ({
    type: 'PushTokenRevoked',
    data: { tokenIndex, userId: userIdAt(user) },
  })

  it('is revoked', () => {
    given([registered(1, 1)])
      .when(revoking(1))
      .then([revoked(1)])
  })
  it('twice changes nothing', () => {
    given([registered(1, 1), revoked(1)])
      .when(revoking(1))
      .thenNothing()
  })
  it('stays if it belongs to another user', () => {
    given([registered(1, 1)])
      .when(revoking(2))
      .thenNothing()
  })
  it('stays revoked when the browser registers its token at the next start', () => {
    given([registered(1, 1), revoked(1)])
      .when(registering(1, 1, false))
      .thenNothing()
  })
  it('comes back in a later session', () => {
    given([registered(1, 1), revoked(1)])
      .when(registering(1, 2, false))
      .then([registered(1, 2)])
  })
  it('is no longer its owner’s when another user registers it', () => {
    given([registered(1, 1), revoked(1)])
      .when(registering(2, 2))
      .then([registered(2, 2)])
  })
  it('leaves nothing to remove when its session ends, or the provider reports it', () => {
    given([registered(1, 1), revoked(1)])
      .when({ type: 'EndSessionOfToken', tokenIndex, sessionId: sessionIdAt(1) })
      .thenNothing()
    given([registered(1, 1), revoked(1)])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .thenNothing()
    given([registered(1, 1), revoked(1)])
      .when({ type: 'SupersedeToken', tokenIndex, token })
      .thenNothing()
  })
})

describe('an unregistered token', () => {
  it('is removed', () => {
    given([registered(1, 1)])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .then([removed(1, 'unregistered')])
  })
  it('without an owner is ignored', () => {
    given([])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .thenNothing()
  })
  it('stays if it belongs to another user by now', () => {
    given([registered(1, 1), removed(1, 'moved'), registered(2, 2)])
      .when({ type: 'DropToken', tokenIndex, userId: userIdAt(1) })
      .thenNothing()
  })
})

it('keeps the category in the name of every stream', () => expect(deviceDecider.category).toBe('device'))

describe('each event of a token', () => {
  const used: DeviceEvent = { type: 'PushTokenUsed', data: { tokenIndex, userId: userIdAt(1) } }
  const revoked: DeviceEvent = { type: 'PushTokenRevoked', data: { tokenIndex, userId: userIdAt(1) } }
  const owned = { userId: userIdAt(1), sessionId: sessionIdAt(1), token }
  const after = (...events: readonly DeviceEvent[]) => events.reduce(deviceDecider.evolve, deviceDecider.initial)

  it('leaves its registration, revoked or not, or none', () => {
    expect(after(registered(1, 1))).toEqual(owned)
    expect(after(registered(1, 1), used)).toEqual(owned)
    expect(after(registered(1, 1), revoked)).toEqual({ ...owned, isRevoked: true })
    expect(after(registered(1, 1), removed(1, 'logged-out'))).toBeUndefined()
    expect(after(revoked)).toBeUndefined()
  })
})
