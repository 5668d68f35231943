import { apiKeyIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { isTransient } from '../errors/error-kinds.ts'
import { apiKeyRef, newApiKey, proofOf } from './api-key.ts'
import type { ApiKeyRecord } from './api-key-record.ts'
import { makeApiKeyVerifier } from './api-key-verifier.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const keyId = apiKeyIdSchema.parse('01980000-0000-7000-8000-000000000002')

class LogUnavailableError extends Error {
  readonly isTransient = true
}

/** A read model and a log that the test controls. */
const start = () => {
  const { key, keyHash } = newApiKey(userId)
  const ref = apiKeyRef({ userId, keyHash })
  let lineage = 'first'
  let nowMs = Date.parse('2026-03-02T09:00:00.000Z')
  const log = { isValid: true, isDown: false, asked: 0, uses: [] as string[] }
  const readModel = { isEmpty: false }
  const record: ApiKeyRecord = {
    isValid: async () => {
      log.asked += 1
      if (log.isDown) throw new LogUnavailableError()
      return log.isValid
    },
    recordUse: async (_key, day) => {
      if (log.isDown) throw new LogUnavailableError()
      log.uses.push(day)
    },
  }
  const verifier = makeApiKeyVerifier({
    readModel: {
      lineage: () => lineage,
      getMany: async (refs) =>
        refs.map((asked) =>
          asked.key === ref.key && asked.partition === ref.partition && !readModel.isEmpty
            ? { keyId, rights: ['send'] }
            : undefined,
        ),
    },
    record,
    now: () => new Date(nowMs),
    logger: pino({ level: 'silent' }),
  })
  return {
    key,
    log,
    readModel,
    verify: () => verifier.verify(key),
    passMinutes: (minutes: number) => void (nowMs += minutes * 60_000),
    loseData: () => void (lineage = 'second'),
  }
}
const caller = { userId, role: 'admin', apiKeyId: keyId, rights: ['send'] }

it('names its admin, and has a prefix and 256 random bits', () => {
  const [one, other] = [newApiKey(userId), newApiKey(userId)]
  expect(one.key).toMatch(/^pk_[\w-]{65}$/)
  expect(proofOf(one.key)).toEqual({ userId, keyHash: one.keyHash })
  expect(one.keyHash).toMatch(/^[0-9a-f]{64}$/)
  expect(one.key).not.toBe(other.key)
})

it('is confirmed by the log at its first use, when the read model may have lost data, and every ten minutes', async () => {
  const { verify, log, loseData, passMinutes } = start()
  for (let n = 0; n < 3; n++) expect(await verify()).toEqual(caller)
  expect(log.asked).toBe(1)
  loseData()
  await verify()
  expect(log.asked).toBe(2)
  passMinutes(11)
  log.isValid = false
  expect(await verify()).toBeUndefined()
})

it('is not valid once the read model does not have it, without asking the log', async () => {
  const { verify, readModel, log } = start()
  await verify()
  readModel.isEmpty = true
  expect(await verify()).toBeUndefined()
  expect(log.asked).toBe(1)
})

it('counts as confirmed while the log is unavailable, but not after the read model may have lost data', async () => {
  const { verify, log, loseData, passMinutes } = start()
  await verify()
  log.isDown = true
  passMinutes(11)
  expect(await verify()).toEqual(caller)
  loseData()
  await expect(verify()).rejects.toSatisfy(isTransient)
})

it('records its use once a day, and again after a failure', async () => {
  const { verify, log, passMinutes } = start()
  await verify()
  await verify()
  passMinutes(24 * 60)
  log.isDown = true
  await verify()
  log.isDown = false
  await verify()
  await verify()
  expect(log.uses).toEqual(['2026-03-02', '2026-03-03'])
})
