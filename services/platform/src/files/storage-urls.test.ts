import { expect, it } from 'vitest'
import { readModelUrlOf } from './storage-urls.ts'

it('the read models are where the URL says, but the ledger has a folder of its own', () => {
  const cases = [
    ['sqlite:data/read-models', 'ledger', 'sqlite:data/ledger'],
    ['sqlite:data/read-models', 'ledger-20261122t140000', 'sqlite:data/ledger'],
    ['sqlite:data/read-models', 'ledger.v2-20261122t140000', 'sqlite:data/ledger'],
    ['memory:', 'ledger', 'sqlite:data/ledger'],
    ['sqlite:data/read-models', 'inbox-main', 'sqlite:data/read-models'],
    ['redis://localhost', 'ledger', 'redis://localhost'],
    ['rediss://localhost', 'ledger-20261122t140000', 'rediss://localhost'],
  ] as const
  const urls = cases.map(([readModelUrl, namespace]) => readModelUrlOf({ readModelUrl, dataDir: 'data' }, namespace))
  expect(urls).toEqual(cases.map(([, , url]) => url))
})
