import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { UserId } from '@portal/contracts/shared/ids'
import type { OpenToken } from '../device/devices.ts'
import { createRecordedPush } from '../testing/recorded-push.ts'
import { someText, userIdAt } from '../testing/samples.ts'
import { createPushToUsers } from './push-to-users.ts'

const text = someText(1)
const signal = new AbortController().signal
const everybody = () => true

const setUp = (tokens: readonly OpenToken[], retryPausesMs: readonly number[] = [1]) => {
  const push = createRecordedPush()
  const dropped: string[] = []
  const devices = {
    tokensOf: async (userIds: readonly UserId[]) => tokens.filter(({ userId }) => userIds.includes(userId)),
    drop: async ({ tokenIndex }: Pick<OpenToken, 'tokenIndex'>) => void dropped.push(tokenIndex),
  }
  const logger = pino({ level: 'silent' })
  return { push, dropped, pushToUsers: createPushToUsers({ push, devices, retryPausesMs, logger }) }
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
      text,
      tokens.map(({ userId }) => userId),
      everybody,
      signal,
    )
    expect(push.calls.map((call) => call.tokens.length)).toEqual([100, 100, 50])
    expect(outcomes).toHaveLength(250)
    expect(outcomes.every(({ state }) => state === 'pushed')).toBe(true)
  })

  it('gives one outcome a user, in the order asked, whatever their devices', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1, 1), tokenOf(1, 2), tokenOf(2), tokenOf(3)])
    push.answer = (token) =>
      token === 'token-1-1' || token === 'token-2-0' ? { kind: 'failed', reason: 'quota' } : { kind: 'accepted' }
    const outcomes = await pushToUsers(text, [1, 2, 3, 4].map(userIdAt), everybody, signal)
    expect(outcomes).toEqual([
      { userId: userIdAt(1), state: 'pushed' },
      { userId: userIdAt(2), state: 'failed', reason: 'quota' },
      { userId: userIdAt(3), state: 'pushed' },
      { userId: userIdAt(4), state: 'skipped', reason: 'no device' },
    ])
  })

  it('tries those again, and only those, that the provider did not take over', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1), tokenOf(2), tokenOf(3)], [1, 1])
    push.answer = (token) => {
      const tries = push.pushedTokens().filter((pushed) => pushed === token).length
      if (token === 'token-2-0' && tries < 2) return { kind: 'unavailable', reason: 'server-unavailable' }
      return token === 'token-3-0' ? { kind: 'unavailable', reason: 'message-rate-exceeded' } : { kind: 'accepted' }
    }
    const outcomes = await pushToUsers(text, [1, 2, 3].map(userIdAt), everybody, signal)
    expect(push.calls.map((call) => call.tokens)).toEqual([
      ['token-1-0', 'token-2-0', 'token-3-0'],
      ['token-2-0', 'token-3-0'],
      ['token-2-0', 'token-3-0'],
    ])
    expect(outcomes).toEqual([
      { userId: userIdAt(1), state: 'pushed' },
      { userId: userIdAt(2), state: 'pushed' },
      { userId: userIdAt(3), state: 'failed', reason: 'message-rate-exceeded' },
    ])
  })

  it('waits for as long as the provider asks before it tries again, and gives up where that is too long', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1), tokenOf(2)])
    const calledAtMs: number[] = []
    push.answer = (token) => {
      calledAtMs.push(performance.now())
      if (token === 'token-2-0') return { kind: 'unavailable', reason: 'busy', retryAfterMs: 3_600_000 }
      return calledAtMs.length > 2 ? { kind: 'accepted' } : { kind: 'unavailable', reason: 'busy', retryAfterMs: 60 }
    }
    const outcomes = await pushToUsers(text, [1, 2].map(userIdAt), everybody, signal)
    expect(push.calls.map((call) => call.tokens)).toEqual([['token-1-0', 'token-2-0'], ['token-1-0']])
    // A timer may be early by a fraction of a millisecond.
    expect((calledAtMs[2] ?? 0) - (calledAtMs[0] ?? 0)).toBeGreaterThanOrEqual(59)
    expect(outcomes).toEqual([
      { userId: userIdAt(1), state: 'pushed' },
      { userId: userIdAt(2), state: 'failed', reason: 'busy' },
    ])
  })

  it('removes exactly the tokens that the provider no longer knows', async () => {
    const { push, dropped, pushToUsers } = setUp([tokenOf(1, 1), tokenOf(1, 2), tokenOf(2)])
    push.answer = (token) =>
      token === 'token-1-2' ? { kind: 'unregistered' } : { kind: 'failed', reason: 'invalid argument' }
    await pushToUsers(text, [1, 2].map(userIdAt), everybody, signal)
    expect(dropped).toEqual(['index-1-2'])
  })

  it('leaves out who has come to look at the screen, also between two calls', async () => {
    const tokens = Array.from({ length: 150 }, (_, n) => tokenOf(n))
    const { push, pushToUsers } = setUp(tokens)
    const isWanted = (userId: UserId) => push.calls.length === 0 || userId !== userIdAt(120)
    const outcomes = await pushToUsers(
      text,
      tokens.map(({ userId }) => userId),
      isWanted,
      signal,
    )
    expect(push.pushedTokens()).not.toContain('token-120-0')
    expect(outcomes[120]).toEqual({ userId: userIdAt(120), state: 'live' })
    expect(outcomes.filter(({ state }) => state === 'pushed')).toHaveLength(149)
  })

  it('shortens what a device would not show anyway, without cutting a character in two', async () => {
    const { push, pushToUsers } = setUp([tokenOf(1)])
    await pushToUsers({ ...text, message: `x${'😀'.repeat(2_000)}` }, [userIdAt(1)], everybody, signal)
    const body = push.calls[0]?.message.body ?? ''
    expect(body.length).toBeLessThanOrEqual(300)
    expect(body.endsWith('…')).toBe(true)
    expect(body.isWellFormed()).toBe(true)
    expect(body.slice(0, -1)).toBe(`x${'😀'.repeat(149)}`)
  })

  it('stops between two attempts when it is told to', async () => {
    const abort = new AbortController()
    const { push, pushToUsers } = setUp([tokenOf(1)])
    push.answer = () => {
      abort.abort()
      throw new Error('connection refused')
    }
    await expect(pushToUsers(text, [userIdAt(1)], everybody, abort.signal)).rejects.toThrow('aborted')
  })
})
