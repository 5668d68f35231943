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
