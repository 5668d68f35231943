import { type Preferences, preferencesSchema } from '@portal/contracts/notifications/preferences'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import { preferencesRef } from './projection.ts'

export const createPreferencesReader = (readModel: Pick<ReadStore, 'getMany'>) => ({
  /** Users who have chosen nothing are absent. */
  of: async (userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Preferences>> => {
    const documents = await readModel.getMany(userIds.map(preferencesRef))
    return new Map(
      userIds.flatMap((userId, index) => {
        const document = documents[index]
        return document === undefined ? [] : [[userId, preferencesSchema.parse(document)] as const]
      }),
    )
  },
})
export type PreferencesReader = ReturnType<typeof createPreferencesReader>
