import { expect, it, onTestFinished } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { type Discontinuity, createDiscontinuityStore, describeDiscontinuity } from './discontinuity.ts'

const found: Discontinuity = {
  consumer: 'projection:inbox',
  cause: 'read-model-lost',
  missing: "the read model 'inbox-main' was emptied",
  since: '2026-11-22T14:00:00.000Z',
  noticedBy: 'notifications',
  epoch: 'one',
}

const open = () => {
  const control = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
  onTestFinished(() => control.close())
  return { control, kept: createDiscontinuityStore(control) }
}

it('keeps the first record of a read model until it is cleared', async () => {
  const { control, kept } = open()
  expect(await kept.record(found)).toEqual(found)
  const again = { ...found, since: '2026-11-22T15:00:00.000Z', noticedBy: 'delivery' }
  expect(await createDiscontinuityStore(control).record(again)).toEqual(found)
  expect(await kept.all()).toEqual([found])
  await kept.clear(['projection:inbox', 'projection:devices'])
  expect(await kept.all()).toEqual([])
})

it('replaces the record of a read model that was rebuilt since', async () => {
  const { kept } = open()
  await kept.record(found)
  const next = { ...found, epoch: 'two' }
  expect(await kept.record(next)).toEqual(next)
  expect(await kept.all()).toEqual([next])
})

it('loses no record when several are written at once', async () => {
  const { kept } = open()
  const consumers = Array.from({ length: 8 }, (_, n) => `projection:p${n}`)
  await Promise.all(consumers.map((consumer) => kept.record({ ...found, consumer })))
  expect((await kept.all()).map(({ consumer }) => consumer).toSorted()).toEqual(consumers)
})

it('describes what is missing and which command repairs it', () => {
  expect(describeDiscontinuity(found)).toBe(
    "projection:inbox halted since 2026-11-22T14:00:00.000Z: the read model 'inbox-main' was emptied " +
      '(noticed by notifications). Run: make replay P=inbox',
  )
  expect(describeDiscontinuity({ ...found, consumer: 'event-log', cause: 'log-older' })).toMatch(/Run: make replay$/)
})
