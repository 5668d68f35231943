import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { runConsumer } from './run-consumer.ts'
import { scriptedBus } from '@portal/platform/testing/projection/scripted-bus'
import { noteEnvelope } from '@portal/platform/testing/projection/tally'

it('PJ-11 redelivers a message until it is accepted, in order, and continues there after a restart', async () => {
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'main' })
  const log = [1, 2, 3].map((n) => noteEnvelope(n, 'a', n))
  const handled: string[] = []
  let failures = 1
  const start = async () => {
    const scripted = scriptedBus(log)
    const subscription = await runConsumer({
      name: 'reactor',
      topics: ['notifications'],
      bus: scripted.bus,
      readModel,
      logger: pino({ level: 'silent' }),
      async handle({ id }) {
        if (id === 'note-2' && failures-- > 0) throw new Error('provider is down')
        handled.push(id)
      },
    })
    return { ...scripted, ...subscription }
  }
  const first = await start()
  expect(await first.deliver(2)).toBe(false)
  await first.stop()
  expect(handled).toEqual(['note-1'])
  const second = await start()
  expect(await second.deliver(2)).toBe(true)
  expect(second.isAtEnd()).toBe(true)
  expect(handled).toEqual(['note-1', 'note-2', 'note-3'])
  await second.stop()
  await readModel.close()
})
