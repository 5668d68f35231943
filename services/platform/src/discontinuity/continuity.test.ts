import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { ReadModelUnavailableError } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import {
  type Continuity,
  describeDiscontinuities,
  inMemoryContinuity,
  createOlderLogReporter,
  watchContinuity,
} from './continuity.ts'
import { createDiscontinuityStore, describeDiscontinuity } from './discontinuity.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const lost = {
  consumer: 'projection:inbox',
  cause: 'read-model-lost',
  missing: 'it was emptied',
  epoch: 'one',
} as const

const openControl = () => {
  const control = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
  onTestFinished(() => control.close())
  return control
}
const watch = async (control: ReadModel, process = 'portal'): Promise<Continuity> => {
  const continuity = await watchContinuity({ control, process, logger })
  onTestFinished(() => continuity.close())
  return continuity
}
const openConsumers = (continuity: Continuity) => continuity.open().map(({ consumer }) => consumer)

it('PJ-20 applies a discontinuity at once, and records it when the engine is available again', async () => {
  const control = openControl()
  let isAway = false
  const away: ReadModel = {
    ...control,
    commit: (commit) => (isAway ? Promise.reject(new ReadModelUnavailableError('away')) : control.commit(commit)),
  }
  const continuity = await watch(away, 'delivery')
  isAway = true
  continuity.record(lost)
  expect(continuity.discontinuityOf('projection:inbox', 'one')).toMatchObject({ noticedBy: 'delivery' })
  await continuity.refresh()
  expect(await createDiscontinuityStore(control).all()).toEqual([])
  expect(describeDiscontinuities(continuity)).toEqual([expect.stringMatching(/Run: make replay P=inbox$/)])
  isAway = false
  await until(async () => expect(await createDiscontinuityStore(control).all()).toMatchObject([lost]))
})

it('PJ-20 records the known discontinuities again after the records were lost', async () => {
  const first = openControl()
  const second = openControl()
  let control = first
  const continuity = await watch({
    ...first,
    get epoch() {
      return control.epoch
    },
    position: (...given) => control.position(...given),
    entry: (...given) => control.entry(...given),
    range: (...given) => control.range(...given),
    commit: (commit) => control.commit(commit),
  })
  continuity.record(lost)
  await continuity.refresh()
  control = second
  await continuity.refresh()
  expect(await createDiscontinuityStore(second).all()).toMatchObject([lost])
})

it('shows the record of one process to the others, until it is cleared', async () => {
  const control = openControl()
  const [one, other] = [await watch(control, 'one'), await watch(control, 'other')]
  let changes = 0
  other.onChange(() => changes++)
  one.record(lost)
  await one.refresh()
  await other.refresh()
  expect(openConsumers(other)).toEqual(['projection:inbox'])
  other.record(lost)
  await other.refresh()
  expect(await createDiscontinuityStore(control).all()).toMatchObject([{ noticedBy: 'one' }])
  await createDiscontinuityStore(control).clear(['projection:inbox'])
  await Promise.all([one.refresh(), other.refresh()])
  expect([openConsumers(one), openConsumers(other)]).toEqual([[], []])
  expect(changes).toBe(2)
})

it('halts the consumer in the epoch of the damage, and every consumer if the log is older', async () => {
  const continuity = await watch(openControl())
  continuity.record(lost)
  expect(continuity.discontinuityOf('projection:inbox', 'two')).toBeUndefined()
  expect(continuity.discontinuityOf('projection:devices', 'one')).toBeUndefined()
  continuity.record({ consumer: 'event-log', cause: 'log-older', missing: 'some events' })
  expect(continuity.discontinuityOf('projection:devices', 'one')?.cause).toBe('log-older')
})

it('PJ-21 clears the record after the consumer is rebuilt in another epoch', async () => {
  const control = openControl()
  const continuity = await watch(control)
  continuity.record(lost)
  continuity.rebuilt('projection:inbox', 'one')
  await continuity.refresh()
  expect(openConsumers(continuity)).toEqual(['projection:inbox'])
  continuity.rebuilt('projection:inbox', 'two')
  await continuity.refresh()
  expect([openConsumers(continuity), await createDiscontinuityStore(control).all()]).toEqual([[], []])
})

it.each(['before', 'after'])(
  'PJ-18 records an older event store that is reported %s the records are available',
  (when) => {
    const continuity = inMemoryContinuity(logger)
    const { onOlder, reportTo } = createOlderLogReporter()
    if (when === 'before') onOlder('events behind position 7 are missing')
    reportTo(continuity)
    if (when === 'after') onOlder('events behind position 7 are missing')
    expect(continuity.open().map(describeDiscontinuity)).toEqual([
      expect.stringMatching(/^event-log halted since .*: events behind position 7 are missing .*Run: make replay$/),
    ])
  },
)
