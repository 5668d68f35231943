import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callerId } from '@portal/catalog/testing/harness'
import { programOf } from '@portal/catalog/testing/programs'
import { createEnroll } from './enroll.ts'

const program = programOf(1)
const programId = program._id

let store: EventStore
beforeEach(() => {
  store = openSqliteEventStore({ path: ':memory:' })
})
afterEach(() => store.close())

/** A process whose read model is behind, so that the log alone decides. */
const processAt = (time: string, eventStore: Pick<EventStore, 'read' | 'append'>) =>
  createEnroll({
    eventStore,
    readModel: { whenApplied: () => Promise.resolve(true) },
    clockAndIds: { now: () => new Date(time) },
    programs: { get: () => Promise.resolve(program) },
    enrollments: { get: () => Promise.resolve(undefined) },
  })

test('two processes that enroll somebody at once both answer what the log keeps', async () => {
  const first = processAt('2026-11-21T10:00:00.000Z', store)
  const answers: unknown[] = []
  const second = processAt('2026-11-21T10:00:00.001Z', {
    read: store.read,
    append: async (...append) => {
      answers.push(await first(callerId, programId, {}))
      return store.append(...append)
    },
  })
  answers.push(await second(callerId, programId, {}))
  const enrolled = { programId, enrolledAt: '2026-11-21T10:00:00.000Z', withdrawnAt: null }
  expect(answers).toMatchObject([
    { ok: true, value: enrolled },
    { ok: true, value: enrolled },
  ])
})
