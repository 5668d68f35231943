import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { deviceProjection, maxTokensPerUser, tokensOf, tokensRef } from './projection.ts'

let log: ProjectedLog

beforeEach(() => {
  log = createProjectedLog(deviceProjection)
})
afterEach(() => log.close())

const register = (n: number, user = 1, session = user) =>
  log.append(`device-token-${n}`, {
    type: 'PushTokenRegistered',
    data: {
      tokenIndex: `token-${n}`,
      userId: userIdAt(user),
      sessionId: sessionIdAt(session),
      token: encryptedTextSchema.parse(`encrypted-${n}`),
    },
  })
const remove = (n: number, user = 1) =>
  log.append(`device-token-${n}`, {
    type: 'PushTokenRemoved',
    data: { tokenIndex: `token-${n}`, userId: userIdAt(user), reason: 'moved' },
  })
const indexesOf = async (user: number) => {
  await log.project()
  return tokensOf(await log.readModel.get(tokensRef(userIdAt(user)))).map(({ tokenIndex }) => tokenIndex)
}

describe('the tokens of a user', () => {
  it('are those registered and not removed', async () => {
    register(1)
    register(2)
    register(3, 2)
    remove(1)
    expect(await indexesOf(1)).toEqual(['token-2'])
    expect(await indexesOf(2)).toEqual(['token-3'])
  })

  it('contain a re-registered token once, as the newest, with its new session', async () => {
    register(1)
    register(2)
    register(1, 1, 9)
    expect(await indexesOf(1)).toEqual(['token-2', 'token-1'])
    const tokens = tokensOf(await log.readModel.get(tokensRef(userIdAt(1))))
    expect(tokens.at(-1)).toMatchObject({ sessionId: sessionIdAt(9) })
  })

  it('are at most the newest twenty', async () => {
    for (let n = 1; n <= maxTokensPerUser + 5; n++) register(n)
    const indexes = await indexesOf(1)
    expect(indexes).toHaveLength(maxTokensPerUser)
    expect(indexes[0]).toBe('token-6')
  })

  it('leave no document when the last one is removed', async () => {
    register(1)
    remove(1)
    remove(1)
    expect(await indexesOf(1)).toEqual([])
    expect(await log.readModel.get(tokensRef(userIdAt(1)))).toBeUndefined()
  })
})
