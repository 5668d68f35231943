import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import type { EventStore } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { createLogGuard } from './log-guard.ts'
import { identityStream, ForeignLogError } from './log-identity.ts'

const logger = pino({ level: 'silent' })

const open = () => {
  const store = openSqliteEventStore({ path: ':memory:' })
  const control = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
  onTestFinished(async () => {
    await Promise.all([store.close(), control.close()])
  })
  return { store, control, guard: createLogGuard({ address: 'the address', logger }) }
}

it('accepts a log that another replica has begun, and projected, since it was found empty', async () => {
  const { store, control, guard } = open()
  let isProjected = false
  const begunMeanwhile: EventStore = {
    ...store,
    async end() {
      const end = await store.end()
      await store.append(identityStream, 'any', [{ id: randomUUID(), type: 'Named', data: {} }])
      isProjected = true
      return end
    },
  }
  guard.protect(begunMeanwhile)
  await guard.expect({ control, hasData: async () => isProjected })
  expect(guard.problem()).toBeUndefined()
})

it('rejects an empty log if the read models have data', async () => {
  const { store, control, guard } = open()
  guard.protect(store)
  await expect(guard.expect({ control, hasData: async () => true })).rejects.toThrow(ForeignLogError)
})
