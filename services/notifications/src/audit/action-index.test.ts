import type { Entry, Range } from '@portal/platform/read-model/port'
import { describe, expect, it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import type { RecordedAction } from './action.ts'
import { createActionIndex, matchesFilter } from './action-index.ts'

const actionAt = (at: string): RecordedAction => ({ at, type: 'audit-exported', by: { userId: userIdAt(1) }, count: 1 })

/** A read model whose partitions grow, and that counts its reads. */
const growing = () => {
  const lists = new Map<string, Entry[]>()
  const read: string[] = []
  let lineage = 'first'
  return {
    read,
    add: (partition: string, at: string): void => {
      const list = lists.get(partition) ?? []
      const score = list.length + 1
      lists.set(partition, [...list, { member: `${partition}-${score}`, score, value: actionAt(at) }])
    },
    /** Switches to a read model that has only the first action of each partition. */
    goBack: (): void => {
      lineage = 'second'
      for (const [partition, list] of lists) lists.set(partition, list.slice(0, 1))
    },
    lineage: () => lineage,
    positions: async () => Object.fromEntries([...lists].map(([partition, list]) => [partition, String(list.length)])),
    range: async (partition: string, _list: string, { from = 0, limit }: Range) => {
      read.push(partition)
      return (lists.get(partition) ?? []).filter(({ score }) => score >= from).slice(0, limit)
    },
  }
}

describe('the index', () => {
  it('has the actions of all partitions by time, and reads only what has changed', async () => {
    const readModel = growing()
    const actions = createActionIndex(readModel)
    readModel.add('auth-b00', '2026-11-21T10:00:00.000Z')
    readModel.add('catalog-programs', '2026-11-21T11:00:00.000Z')
    readModel.add('catalog-programs', '2026-11-21T11:00:00.000Z')
    const ids = async () => (await actions()).map(({ id }) => id)
    expect(await ids()).toEqual(['catalog-programs-2', 'catalog-programs-1', 'auth-b00-1'])
    readModel.add('auth-b00', '2026-11-21T12:00:00.000Z')
    readModel.read.length = 0
    expect(await ids()).toEqual(['auth-b00-2', 'catalog-programs-2', 'catalog-programs-1', 'auth-b00-1'])
    expect(readModel.read).toEqual(['auth-b00'])
    readModel.goBack()
    expect(await ids()).toEqual(['catalog-programs-1', 'auth-b00-1'])
  })

  it('reads more than one batch, and keeps the newest actions only', async () => {
    const readModel = growing()
    for (let n = 0; n < 2_500; n++)
      readModel.add('catalog-programs', new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString())
    expect(await createActionIndex(readModel)()).toHaveLength(2_500)
    const [newest, ...others] = await createActionIndex(readModel, 100)()
    expect([newest?.number, others.length]).toEqual([2_500, 99])
  })
})

it('a filter by day includes both days in India, from midnight to midnight', () => {
  const matches = matchesFilter({ from: '2026-11-21', to: '2026-11-22' })
  const matching = [
    '2026-11-20T18:29:59.999Z',
    '2026-11-20T18:30:00.000Z',
    '2026-11-22T18:29:59.999Z',
    '2026-11-22T18:30:00.000Z',
  ].filter((at) => matches(actionAt(at)))
  expect(matching).toEqual(['2026-11-20T18:30:00.000Z', '2026-11-22T18:29:59.999Z'])
})
