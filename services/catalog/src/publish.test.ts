import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import type { Position } from '@portal/platform/event-store/port'
import { callerId } from '@portal/catalog/testing/harness'
import { expect, it } from 'vitest'
import { enrollmentPublisher } from './publish.ts'

it('a move ends one enrollment and begins another, which says where the learner comes from', () => {
  const [from, to] = [1, 2].map((n) => programRecordIdSchema.parse(`01930000-0000-7000-9000-00000000000${n}`))
  const enrollment = {
    programId: to,
    programName: 'Data',
    currentSemester: 'Semester 2',
    paymentStatus: 'Pending',
    enrolledAt: '2026-11-21T10:00:00.000Z',
  }
  const data = { userId: callerId, fromProgramId: from, enrollment }
  const messages = enrollmentPublisher.publish({
    kind: 'event',
    // As the SQLite store formats them.
    position: '0000000000000001' as Position,
    stream: `enrollment-${callerId}`,
    revision: 0,
    id: 'event-1',
    type: 'EnrollmentMoved',
    data,
    metadata: {},
    at: '2026-11-21T10:00:00.000Z',
  })
  expect(messages.map(({ type, data: message }) => ({ type, data: message }))).toEqual([
    { type: 'EnrollmentEnded', data: { userId: callerId, programId: from, change: 'moved' } },
    { type: 'LearnerEnrolled', data: { userId: callerId, ...enrollment, movedFrom: from } },
  ])
})
