import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callerId } from '@portal/catalog/testing/harness'
import { programOf } from '@portal/catalog/testing/programs'
import { createEnroll } from './enroll.ts'
import { createRecordEnrollment } from './record-enrollment.ts'

const program = programOf(1)
const programId = program._id

let store: EventStore
beforeEach(() => {
  store = openSqliteEventStore({ path: ':memory:' })
})
afterEach(() => store.close())

/** A process with a stale read model, so that only the log decides. */
const processAt = (time: string, eventStore: Pick<EventStore, 'read' | 'append'>) =>
  createEnroll({
    recordEnrollment: createRecordEnrollment(eventStore),
    readModel: { whenApplied: () => Promise.resolve(true) },
    clockAndIds: { now: () => new Date(time) },
    programs: { get: () => Promise.resolve(program) },
    enrollments: { get: () => Promise.resolve(undefined) },
  })

test('returns the recorded enrollment from both processes if they enroll the same learner at once', async () => {
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
