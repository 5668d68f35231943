import { describe } from 'vitest'
import { appendRules } from './contract/append-rules.ts'
import { checkpointRules } from './contract/checkpoint-rules.ts'
import { concurrencyProperty } from './contract/concurrency-property.ts'
import { idempotenceRules } from './contract/idempotence-rules.ts'
import { type EventStoreHarness, storeTest } from './contract/harness.ts'
import { lifecycleRules } from './contract/lifecycle-rules.ts'
import { readRules } from './contract/read-rules.ts'
import { subscribeRules } from './contract/subscribe-rules.ts'

/** Tests an adapter against the event store rules of SPEC.md. Has no options, because every rule holds for all adapters. */
export const eventStoreContract = (name: string, makeHarness: () => Promise<EventStoreHarness>): void => {
  describe(`${name} keeps the rules of the event store`, () => {
    const test = storeTest(makeHarness)
    appendRules(test)
    idempotenceRules(test)
    readRules(test)
    subscribeRules(test)
    checkpointRules(test)
    lifecycleRules(test)
    concurrencyProperty(makeHarness)
  })
}
