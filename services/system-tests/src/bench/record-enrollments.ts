import type { UserId } from '@portal/contracts/shared/ids'
import { enrollmentOf, savedProgram } from '@portal/notifications/testing/programs'
import type { EventStore } from '@portal/platform/event-store/port'
import { v7 as newId } from 'uuid'
import { recordForEach } from './push-rules.ts'

const programCount = 4

/** Four programs, and the learners in one of them. */
export const recordEnrollments = async (store: EventStore, userIds: readonly UserId[]): Promise<void> => {
  for (let n = 1; n <= programCount; n++) {
    const { data } = savedProgram(n, `Measured program ${n}`)
    await store.append('program-catalogue', 'any', [{ id: newId(), type: 'ProgramAdded', data }])
  }
  await recordForEach(store, userIds, (userId, index) => ({
    stream: `enrollment-${userId}`,
    type: 'LearnerEnrolled',
    data: enrollmentOf((index % programCount) + 1, userId),
  }))
}
