import type { ListedLearner } from '@portal/contracts/notifications/learners'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { actionKeys, learnerCalls } from '../api.ts'
import type { LearnerReports } from '../use-reports.ts'

/** A dialog that changes learners of a program. */
export type ProgramDialogProps = {
  readonly programId: ProgramRecordId
  readonly reports: LearnerReports
  readonly onClose: () => void
}

/** A dialog that changes the marked learners. */
export type LearnerDialogProps = ProgramDialogProps & { readonly learners: readonly ListedLearner[] }

/** The requests of a dialog. While it is open, a retry has the same key. */
export const useLearnerCalls = (programId: ProgramRecordId) => useState(() => learnerCalls(programId, actionKeys()))[0]

export const idsOf = (learners: readonly ListedLearner[]): UserId[] => learners.map(({ userId }) => userId)

/** How a row of an answer names one of the learners. */
export const describeIn = (learners: readonly ListedLearner[]) => {
  const known = new Map(learners.map((learner) => [learner.userId, learner]))
  return ({ userId }: { readonly userId?: UserId | undefined }) => {
    const learner = userId && known.get(userId)
    return { title: learner?.fullName ?? '', facts: learner?.personalEmail }
  }
}
