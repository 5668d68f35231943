import { describe } from 'vitest'
import { commitRules, waitingRules } from './contract/commit-rules.ts'
import { documentRules } from './contract/document-rules.ts'
import { type ReadModelHarness, underTest } from './contract/harness.ts'
import { listRules } from './contract/list-rules.ts'
import { operationsRules } from './contract/operations-rules.ts'
import { namespaceRules } from './contract/namespace-rules.ts'

/** The rules of SPEC.md's read-model section. Each adapter calls it with its harness. */
export const readModelContract = (name: string, makeHarness: () => Promise<ReadModelHarness>): void => {
  describe(`read model: ${name}`, { timeout: 30_000 }, () => {
    const under = underTest(makeHarness)
    commitRules(under)
    documentRules(under)
    listRules(under)
    waitingRules(under)
    namespaceRules(under)
    operationsRules(under)
  })
}
