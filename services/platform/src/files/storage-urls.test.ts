import { expect, it } from 'vitest'
import { readModelUrlOf } from './storage-urls.ts'

it.each([
  ['sqlite:data/read-models', 'ledger', 'sqlite:data/ledger'],
  ['sqlite:data/read-models', 'ledger-20261122t140000', 'sqlite:data/ledger'],
  ['sqlite:data/read-models', 'ledger.v2-20261122t140000', 'sqlite:data/ledger'],
  ['memory:', 'ledger', 'sqlite:data/ledger'],
  ['sqlite:data/read-models', 'inbox-main', 'sqlite:data/read-models'],
  ['redis://localhost', 'ledger', 'redis://localhost'],
  ['rediss://localhost', 'ledger-20261122t140000', 'rediss://localhost'],
])('with %s the namespace %s is in %s', (readModelUrl, namespace, url) => {
  expect(readModelUrlOf({ readModelUrl, dataDir: 'data' }, namespace)).toBe(url)
})
