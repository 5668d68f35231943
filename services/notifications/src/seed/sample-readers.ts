import type { Audience, SampleNotification } from './sample-notifications.ts'

/** A learner by their place among the seeded: the first one gets everything. */
const isAmong: Readonly<Record<Audience, (learner: number) => boolean>> = {
  everybody: () => true,
  learners: () => true,
  half: (learner) => learner % 2 === 0,
  third: (learner) => learner % 3 === 0,
}

export const isForLearner = ({ to }: SampleNotification, learner: number): boolean => isAmong[to](learner)

/** How many tenths of what they got a learner has read: each their own, none of them all. */
const tenthsRead = (learner: number): number => (learner * 3 + 7) % 10

/** What a learner has read: the oldest of what they got. So the newest is unread for everybody, and early sends are read by most. */
export const readByLearner = (
  samples: readonly SampleNotification[],
  learner: number,
): ReadonlySet<SampleNotification['key']> => {
  const received = samples.filter((sample) => isForLearner(sample, learner))
  const read = Math.floor((received.length * tenthsRead(learner)) / 10)
  return new Set(received.slice(0, read).map(({ key }) => key))
}
