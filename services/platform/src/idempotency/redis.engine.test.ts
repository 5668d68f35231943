import { describeRememberedAnswers } from '@portal/platform/testing/idempotency/contract'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { makeOwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { openRedisAnswers } from './redis.ts'

const logger = pino({ level: 'silent' })
const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((answers) => answers.close())))

const openOn = async (url: string) => {
  const answers = await openRedisAnswers({ url, logger })
  opened.push(answers)
  return answers
}

describeRememberedAnswers('Redis', async () => {
  const url = `${inject('redisUrl')}/?prefix=t${randomUUID()}`
  return [await openOn(url), await openOn(url)]
})

describe('remembered answers in Redis', () => {
  it('are kept in memory during an outage, which rejects no request', async () => {
    const server = await makeOwnServer()
    await server.start()
    const answers = await openOn(server.url)
    expect(await answers.begin('before')).toEqual({ kind: 'begun' })
    await server.kill()
    expect(await answers.begin('during')).toEqual({ kind: 'begun' })
    await answers.remember('during', 'done')
    expect(await answers.begin('during')).toEqual({ kind: 'answered', answer: 'done' })
    await server.dispose()
  })
})
