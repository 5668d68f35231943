import { describe } from 'vitest'
import { appendRules } from './contract/append-rules.ts'
import { checkpointRules } from './contract/checkpoint-rules.ts'
import { concurrencyProperty } from './contract/concurrency-property.ts'
import { idempotenceRules } from './contract/idempotence-rules.ts'
import { type EventStoreHarness, storeTest } from './contract/harness.ts'
import { lifecycleRules } from './contract/lifecycle-rules.ts'
import { readRules } from './contract/read-rules.ts'
import { subscribeRules } from './contract/subscribe-rules.ts'

/** Holds an adapter to the event store's rules of SPEC.md. There are no options: a rule is for all adapters or is none. */
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
