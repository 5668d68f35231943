import { inject } from 'vitest'
import type { SharedEngines } from './distributed-portal.ts'

/** The engines of this test run; see tools/engines/src/test-engines.ts. */
export const testEngines = (): SharedEngines => ({
  redisUrl: inject('redisUrl'),
  kafkaUrl: inject('kafkaUrl'),
  eventStoreUrl: inject('eventStoreDbUrl'),
})
