import type { ProgramId, UserId } from '@portal/contracts/shared/ids'

export type SampleEnrollment = { readonly userId: UserId; readonly programId: ProgramId }

/** Three in five learners are enrolled, spread over the programmes, and one of six of those in a second one. */
export const sampleEnrollments = (
  learners: readonly UserId[],
  programs: readonly ProgramId[],
): readonly SampleEnrollment[] =>
  learners.flatMap((userId, learner) => {
    if (learner % 5 > 2) return []
    const places = learner % 10 === 1 ? [learner, learner + 1] : [learner]
    const chosen = new Set(places.flatMap((place) => programs[place % programs.length] ?? []))
    return [...chosen].map((programId) => ({ userId, programId }))
  })
