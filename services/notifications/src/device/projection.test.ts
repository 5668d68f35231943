import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { expect, it, onTestFinished } from 'vitest'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { deviceProjection, tokensOf, tokensRef } from './projection.ts'

it('the tokens of a user leave no document when the last one is removed', async () => {
  const log = createProjectedLog(deviceProjection)
  onTestFinished(() => log.close())
  const [userId, tokenIndex] = [userIdAt(1), 'token-1']
  const token = encryptedTextSchema.parse('encrypted')
  const stored = async () => {
    await log.project()
    return log.readModel.get(tokensRef(userId))
  }
  const data = { tokenIndex, userId, sessionId: sessionIdAt(1), token }
  log.append('device-token-1', { type: 'PushTokenRegistered', data })
  expect(tokensOf(await stored())).toMatchObject([{ tokenIndex }])
  for (let n = 0; n < 2; n++)
    log.append('device-token-1', { type: 'PushTokenRemoved', data: { tokenIndex, userId, reason: 'moved' } })
  expect(await stored()).toBeUndefined()
})

it('a registration of an earlier release gives the document that it gave then, a later one has name and time, and a use keeps the order', async () => {
  const log = createProjectedLog(deviceProjection)
  onTestFinished(() => log.close())
  const userId = userIdAt(1)
  const data = { userId, sessionId: sessionIdAt(1), token: encryptedTextSchema.parse('encrypted') }
  const deviceName = 'Firefox on Linux'
  log.append('device-old', { type: 'PushTokenRegistered', data: { ...data, tokenIndex: 'old' } })
  log.append('device-new', { type: 'PushTokenRegistered', data: { ...data, tokenIndex: 'new', deviceName } })
  await log.project()
  const { sessionId, token } = data
  expect(await log.readModel.get(tokensRef(userId))).toEqual([
    { tokenIndex: 'old', sessionId, token },
    { tokenIndex: 'new', sessionId, token, device: { name: deviceName, addedAt: log.events[1]?.at } },
  ])
  log.append('device-old', { type: 'PushTokenUsed', data: { tokenIndex: 'old', userId } })
  await log.project()
  expect(tokensOf(await log.readModel.get(tokensRef(userId)))).toEqual([
    { tokenIndex: 'old', sessionId, token, usedAt: log.events[2]?.at },
    { tokenIndex: 'new', sessionId, token, device: { name: deviceName, addedAt: log.events[1]?.at } },
  ])
  log.append('device-new', { type: 'PushTokenRevoked', data: { tokenIndex: 'new', userId } })
  await log.project()
  expect(tokensOf(await log.readModel.get(tokensRef(userId)))).toMatchObject([{ tokenIndex: 'old' }])
})
