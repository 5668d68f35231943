import { afterEach, expect, it } from 'vitest'
import { InvalidCommit, ReadModelEmptiedError } from '../read-model/errors.ts'
import type { Commit, ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { createMetrics } from './metrics/metrics.ts'
import { observeReadModel } from './observe-read-model.ts'

let opened: ReadModel[] = []
afterEach(async () => {
  for (const readModel of opened.splice(0)) await readModel.close()
})

const start = (namespace: string, changed: Partial<ReadModel> = {}) => {
  const metrics = createMetrics()
  const readModel = openSqliteReadModel({ path: ':memory:', namespace })
  opened = [readModel]
  const observed = observeReadModel({ ...readModel, ...changed }, metrics, namespace)
  const figure = async (series: string): Promise<number> => {
    const { text } = await metrics.scrape()
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return Number(line?.split(' ').at(-1) ?? Number.NaN)
  }
  return { observed, figure }
}

const commit = (expected: string | undefined, position: string): Commit => ({
  projection: 'inbox',
  partition: 'b00',
  expected,
  position,
  writes: [],
})

it('counts commits by outcome across generations', async () => {
  const { observed, figure } = start('inbox-20261121t140102')
  await observed.commit(commit(undefined, '1'))
  expect(await observed.commitAll([commit('1', '2'), commit('1', '3')])).toEqual(['committed', 'conflict'])
  await observed.fence()
  await observed.commit(commit('2', '4'))
  const outcome = (name: string) => figure(`portal_read_model_commits_total{read_model="inbox",outcome="${name}"}`)
  expect([await outcome('committed'), await outcome('conflict'), await outcome('sealed')]).toEqual([2, 1, 1])
  expect(await figure('portal_read_model_commit_batch_size_sum{read_model="inbox"}')).toBe(4)
})

it('times successful calls and counts failed ones', async () => {
  const { observed, figure } = start('inbox-main')
  await observed.get({ partition: 'b00', collection: 'head', key: 'k' })
  await expect(observed.commit(commit('2', '1'))).rejects.toThrow(InvalidCommit)
  expect(await figure('portal_read_model_call_duration_seconds_count{read_model="inbox",call="get"}')).toBe(1)
  expect(await figure('portal_read_model_call_failures_total{read_model="inbox",call="commit"}')).toBe(1)
})

it('reports an emptied read model until it is replaced', async () => {
  let problem: Error | undefined = new ReadModelEmptiedError('inbox-main', 'its marker is gone')
  const check = () => (problem ? Promise.reject(problem) : Promise.resolve())
  const { observed, figure } = start('inbox-main', { check })
  const emptied = 'portal_read_model_emptied{read_model="inbox"}'
  await expect(observed.check()).rejects.toThrow('emptied')
  expect(await figure(emptied)).toBe(1)
  problem = undefined
  await observed.check()
  expect(await figure(emptied)).toBe(0)
})
