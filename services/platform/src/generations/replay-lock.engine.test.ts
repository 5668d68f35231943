import { randomUUID } from 'node:crypto'
import { replayLockContract } from '@portal/platform/testing/generations/replay-lock-contract'
import { inject } from 'vitest'
import { openReadModel } from '../adapters/open-adapters.ts'

replayLockContract('Redis', () => {
  const address = new URL(inject('redisUrl'))
  address.searchParams.set('prefix', `replay-lock-${randomUUID()}`)
  return openReadModel(address.href, 'control')
})
