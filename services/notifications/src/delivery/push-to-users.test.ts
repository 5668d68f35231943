import { createPushCircuitBreaker } from '@portal/platform/outbound/push-circuit-breaker'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { NotificationText } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { OpenToken } from '../device/devices.ts'
import { createRecordedPush } from '@portal/notifications/testing/recorded-push'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { messageOf } from '../device/push-message.ts'
import { createPushToUsers } from './push-to-users.ts'

const text = someText(1)
const sameFor = (sent: NotificationText) => {
  const message = messageOf(sent)
  return () => message
}
const forEveryone = sameFor(text)
const everybody = { isWanted: () => true, isStopped: () => false, signal: new AbortController().signal }

const setUp = (tokens: readonly OpenToken[]) => {
  let elapsedMs = 0
  const push = createRecordedPush()
  const dropped: string[] = []
  const devices = {
    tokensOf: async (userIds: readonly UserId[]) => tokens.filter(({ userId }) => userIds.includes(userId)),
    drop: async ({ tokenIndex }: Pick<OpenToken, 'tokenIndex'>) => void dropped.push(tokenIndex),
  }
  const logger = pino({ level: 'silent' })
  const circuitBreaker = createPushCircuitBreaker(() => elapsedMs)
  const later = (byMs: number) => void (elapsedMs += byMs)
  return { push, dropped, later, pushToUsers: createPushToUsers({ push, devices, circuitBreaker, logger }) }
}

const tokenOf = (user: number, device = 0): OpenToken => ({
  userId: userIdAt(user),
  tokenIndex: `index-${user}-${device}`,
  token: `token-${user}-${device}`,
})

describe('pushing to users', () => {
  it('calls with at most 100 tokens', async () => {
    const tokens = Array.from({ length: 250 }, (_, n) => tokenOf(n))
    const { push, pushToUsers } = setUp(tokens)
    const outcomes = await pushToUsers(
      forEveryone,
      tokens.map(({ userId }) => userId),
      everybody,
    )
    expect(push.calls.map((call) => call.tokens.length)).toEqual([100, 100, 50])
    expect(outcomes).toHaveLength(250)
    expect(outcomes.every(({ state }) => state === 'pushed')).toBe(true)
  })

  it('[C-20] shows the picture of the notification, if it has one', () => {
    const image = '/pictures/0123456789abcdef0123456789abcdef'
    expect(messageOf({ ...text, image })).toEqual({ ...messageOf(text), image })
    expect(messageOf(text)).not.toHaveProperty('image')
  })

  it('calls once per message if users get different ones, and still returns outcomes in order', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1), tokenOf(2), tokenOf(1, 1)])
    push.answer = (token) => (token === 'token-2-0' ? { kind: 'failed', reason: 'quota' } : { kind: 'accepted' })
    const messages = new Map([1, 2].map((n) => [userIdAt(n), messageOf({ ...text, title: `For ${n}` })]))
    const messageFor = (userId: UserId) => messages.get(userId) ?? messageOf(text)
    const outcomes = await pushToUsers(messageFor, [1, 2].map(userIdAt), everybody)
    expect(push.calls.map(({ tokens, message }) => [message.title, ...tokens])).toEqual([
      ['For 1', 'token-1-0', 'token-1-1'],
      ['For 2', 'token-2-0'],
    ])
    expect(outcomes.map(({ state }) => state)).toEqual(['pushed', 'failed'])
  })

  it('returns one outcome per user, in the given order, regardless of their devices', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1, 1), tokenOf(1, 2), tokenOf(2), tokenOf(3)])
    push.answer = (token) =>
      token === 'token-1-1' || token === 'token-2-0' ? { kind: 'failed', reason: 'quota' } : { kind: 'accepted' }
    const outcomes = await pushToUsers(forEveryone, [1, 2, 3, 4].map(userIdAt), everybody)
    expect(outcomes).toEqual([
      { userId: userIdAt(1), state: 'pushed' },
      { userId: userIdAt(2), state: 'failed', reason: 'quota' },
      { userId: userIdAt(3), state: 'pushed' },
      { userId: userIdAt(4), state: 'skipped', reason: 'no device' },
    ])
  })

  it('leaves only those pending whose push the provider did not accept', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1), tokenOf(2), tokenOf(2, 1), tokenOf(3)])
    push.answer = (token) => {
      if (token === 'token-3-0') return { kind: 'unavailable', reason: 'message-rate-exceeded', retryAfterMs: 60_000 }
      return token === 'token-2-0' ? { kind: 'unavailable', reason: 'server-unavailable' } : { kind: 'accepted' }
    }
    const outcomes = await pushToUsers(forEveryone, [1, 2, 3].map(userIdAt), everybody)
    expect(push.calls).toHaveLength(1)
    expect(outcomes).toEqual([
      { userId: userIdAt(1), state: 'pushed' },
      { userId: userIdAt(2), state: 'pushed' },
      { userId: userIdAt(3), state: 'not-accepted', reason: 'message-rate-exceeded', afterMs: 60_000 },
    ])
  })

  it('does not take the push service of one browser for the provider', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1), tokenOf(2)])
    push.answer = (token) =>
      token === 'token-1-0' ? { kind: 'unavailable', reason: 'network-error', isOfToken: true } : { kind: 'accepted' }
    for (let n = 0; n < 4; n++) await pushToUsers(forEveryone, [userIdAt(1)], everybody)
    expect(await pushToUsers(forEveryone, [userIdAt(2)], everybody)).toEqual([{ userId: userIdAt(2), state: 'pushed' }])
  })
  it('probes an unavailable provider with backoff, and fails other calls immediately', async () => {
    const { push, later, pushToUsers } = setUp([tokenOf(1)])
    let calls = 0
    push.answer = () => {
      calls += 1
      throw new Error('connection refused')
    }
    const tenTimes = async () => {
      for (let n = 0; n < 10; n++) {
        const [outcome] = await pushToUsers(forEveryone, [userIdAt(1)], everybody)
        expect(outcome).toMatchObject({ state: 'not-accepted', reason: 'provider unavailable' })
      }
    }
    await tenTimes()
    expect(calls).toBe(3)
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      later(pauseMs - 1)
      await tenTimes()
      const before = calls
      later(1)
      await tenTimes()
      expect(calls).toBe(before + 1)
    }
    push.answer = () => ({ kind: 'accepted' })
    later(8_000)
    expect(await pushToUsers(forEveryone, [userIdAt(1)], everybody)).toMatchObject([{ state: 'pushed' }])
    expect(await pushToUsers(forEveryone, [userIdAt(1)], everybody)).toMatchObject([{ state: 'pushed' }])
  })

  it('waits as long as the provider requests', async () => {
    const { push, later, pushToUsers } = setUp([tokenOf(1)])
    push.answer = () => ({ kind: 'unavailable', reason: 'busy', retryAfterMs: 60_000 })
    for (let n = 0; n < 3; n++) await pushToUsers(forEveryone, [userIdAt(1)], everybody)
    push.answer = () => ({ kind: 'accepted' })
    later(59_000)
    expect(await pushToUsers(forEveryone, [userIdAt(1)], everybody)).toEqual([
      { userId: userIdAt(1), state: 'not-accepted', reason: 'busy', afterMs: 1_000 },
    ])
    later(1_000)
    expect(await pushToUsers(forEveryone, [userIdAt(1)], everybody)).toMatchObject([{ state: 'pushed' }])
  })

  it('removes exactly the tokens that the provider reports as unregistered', async () => {
    const { push, dropped, pushToUsers } = setUp([tokenOf(1, 1), tokenOf(1, 2), tokenOf(2)])
    push.answer = (token) =>
      token === 'token-1-2' ? { kind: 'unregistered' } : { kind: 'failed', reason: 'invalid argument' }
    await pushToUsers(forEveryone, [1, 2].map(userIdAt), everybody)
    expect(dropped).toEqual(['index-1-2'])
  })

  it('skips recipients who have seen it meanwhile, also between two calls', async () => {
    const tokens = Array.from({ length: 150 }, (_, n) => tokenOf(n))
    const { push, pushToUsers } = setUp(tokens)
    const isWanted = (userId: UserId) => push.calls.length === 0 || userId !== userIdAt(120)
    const outcomes = await pushToUsers(
      forEveryone,
      tokens.map(({ userId }) => userId),
      { ...everybody, isWanted },
    )
    expect(push.pushedTokens()).not.toContain('token-120-0')
    expect(outcomes[120]).toEqual({ userId: userIdAt(120), state: 'live' })
    expect(outcomes.filter(({ state }) => state === 'pushed')).toHaveLength(149)
  })

  it('returns no result for recipients who were not reached before a stop', async () => {
    const tokens = Array.from({ length: 150 }, (_, n) => tokenOf(n))
    const { push, pushToUsers } = setUp([...tokens, tokenOf(0, 1)])
    const outcomes = await pushToUsers(
      forEveryone,
      tokens.map(({ userId }) => userId),
      { ...everybody, isStopped: () => push.calls.length > 0 },
    )
    expect(push.calls).toHaveLength(1)
    expect(outcomes).toEqual(tokens.slice(0, 100).map(({ userId }) => ({ userId, state: 'pushed' })))
  })

  it('truncates what a device would not show, without splitting a character', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1)])
    await pushToUsers(sameFor({ ...text, message: `x${'😀'.repeat(2_000)}` }), [userIdAt(1)], everybody)
    const body = push.calls[0]?.message.body ?? ''
    expect(body.length).toBeLessThanOrEqual(300)
    expect(body.endsWith('…')).toBe(true)
    expect(body.isWellFormed()).toBe(true)
    expect(body.slice(0, -1)).toBe(`x${'😀'.repeat(149)}`)
  })

  it('stops between two calls when aborted', async () => {
    const abort = new AbortController()
    const tokens = Array.from({ length: 150 }, (_, n) => tokenOf(n))
    const { push, pushToUsers } = setUp(tokens)
    push.answer = () => {
      abort.abort()
      return { kind: 'accepted' }
    }
    const users = tokens.map(({ userId }) => userId)
    await expect(pushToUsers(forEveryone, users, { ...everybody, signal: abort.signal })).rejects.toThrow('aborted')
    expect(push.calls).toHaveLength(1)
  })
})
