import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { readModelLimits } from '@portal/platform/read-model/limits'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

/** Members are the ids of the future users, scores are the times of beginning in milliseconds, values are `entrySchema`. */
const unfinishedList = 'unfinished-registrations'

const entrySchema = z.object({ emailIndex: z.string() })

export const unfinishedProjection = authProjection(
  { name: 'unfinished-registrations' },
  ['RegistrationInitiated', 'RegistrationCompleted', 'RegistrationExpired'],
  async ({ event, at }) => {
    const { userId: member, emailIndex } = event.data
    return event.type === 'RegistrationInitiated'
      ? [{ op: 'add', list: unfinishedList, member, score: Date.parse(at), value: { emailIndex } }]
      : [{ op: 'remove', list: unfinishedList, member }]
  },
)

type Unfinished = z.infer<typeof entrySchema> & { readonly userId: UserId }

const unfinishedOf = ({ member, value }: Entry): Unfinished => ({
  userId: userIdSchema.parse(member),
  ...entrySchema.parse(value),
})

/** Those of a bucket that were begun before this time, oldest first. At most one page: the next round finds the rest. */
export const readUnfinished = async (
  readModel: Pick<ReadStore, 'range'>,
  bucket: string,
  before: Date,
): Promise<readonly Unfinished[]> => {
  const limit = readModelLimits.entriesPerRange
  const oldest = await readModel.range(bucket, unfinishedList, { order: 'ascending', limit })
  return oldest.filter(({ score }) => score <= before.getTime()).map(unfinishedOf)
}
