import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { messagePosition } from '@portal/platform/bus/relay'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { callerId } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'
import { ErasedUserError } from '@portal/platform/personal-data/port'
import { expect, test } from 'vitest'
import { enrollmentPublisher } from '../publish.ts'
import { createChangeLearners } from './change-learners.ts'
import type { EnrollmentCommand } from './decider.ts'
import { createRecordEnrollment } from './record-enrollment.ts'

const userId = callerId
const at = '2026-11-21T10:00:00.000Z'
const inProgram = (n: number) => ({ userId, programId: programIdOf(n), programName: `Program ${n}` })
const reason = encryptedTextSchema.parse('encrypted')
const commands: readonly [EnrollmentCommand, ...EnrollmentCommand[]] = [
  { type: 'Enroll', ...inProgram(1), enrolledAt: at },
  { type: 'Move', ...inProgram(2), fromProgramId: programIdOf(1), movedAt: at, installmentsPaise: [] },
  { type: 'Withdraw', ...inProgram(2), reason },
]

const setUp = () => {
  const erased = new Set<string>()
  const eventStore = openSqliteEventStore({ path: ':memory:' })
  const asked: string[] = []
  const changeLearners = createChangeLearners({
    recordEnrollment: createRecordEnrollment(eventStore),
    readModel: {
      whenApplied: async (_projection, _partition, position) => {
        asked.push(position)
        return true
      },
    },
    vault: {
      encrypt: async (id) => {
        if (erased.has(id)) throw new ErasedUserError()
        return reason
      },
    },
  })
  const request = async (command: EnrollmentCommand, requestId: string = command.type) => {
    const requested = { row: { userId }, command: async () => command, isForNewLearners: true } as const
    const rows = await changeLearners([requested], { isDryRun: false, requestId, metadata: {} })
    return rows.map(({ fate }) => fate)
  }
  const recorded = async () => {
    const events: RecordedEvent[] = []
    for await (const event of eventStore.read(`enrollment-${userId}`, 0)) events.push(event)
    return events
  }
  return { request, asked, recorded, erase: () => erased.add(userId) }
}

test('each change waits for the last message of its event', async () => {
  const { request, asked, recorded } = setUp()
  for (const command of commands) await request(command)
  const last = (await recorded()).map((event) =>
    messagePosition(event.position, enrollmentPublisher.publish(event).length - 1),
  )
  expect(asked).toEqual(last)
})

test('a repeated request changes nothing and is answered as the first time, however late', async () => {
  const { request, recorded } = setUp()
  const first = []
  for (const command of commands) {
    first.push(await request(command))
    expect(await request(command)).toEqual(first.at(-1))
  }
  expect(first).toEqual([['enrolled'], ['moved'], ['withdrawn']])
  // What was undone meanwhile is not done again.
  await request({ type: 'Reinstate', ...inProgram(2) })
  const events = await recorded()
  const repeated = []
  for (const command of commands) repeated.push(await request(command))
  expect(repeated).toEqual(first)
  expect(await recorded()).toEqual(events)
})

test('nothing is recorded about a learner who was erased meanwhile', async () => {
  const { request, recorded, erase } = setUp()
  await request(commands[0])
  erase()
  for (const command of commands.slice(1)) expect(await request(command)).toEqual(['unknown'])
  expect(await recorded()).toHaveLength(1)
})
