import { randomUUID } from 'node:crypto'
import { leaseContract } from '@portal/platform/testing/bus/lease-contract'
import { inject } from 'vitest'
import { openReadModel } from '../adapters/open-adapters.ts'

leaseContract('Redis', () => {
  const address = new URL(inject('redisUrl'))
  address.searchParams.set('prefix', `lease-${randomUUID()}`)
  return openReadModel(address.href, 'control')
})
