import type { SealedText } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { LRUCache } from 'lru-cache'
import { type Profile, profileSchema } from './profile.ts'

const profilesRemembered = 20_000

export type OpenedProfiles = {
  /** Undefined for an erased user. */
  open(userId: UserId, sealed: SealedText): Promise<Profile | undefined>
  forget(userId: UserId): void
}

/** Opens profiles, and remembers what they said for as long as they are the same. */
export const createOpenedProfiles = (vault: Pick<PersonalDataVault, 'open'>): OpenedProfiles => {
  const opened = new LRUCache<UserId, { readonly sealed: SealedText; readonly profile: Profile }>({
    max: profilesRemembered,
  })
  return {
    open: async (userId, sealed) => {
      const known = opened.get(userId)
      if (known?.sealed === sealed) return known.profile
      const text = await vault.open(userId, sealed)
      if (text === undefined) return undefined
      const profile = profileSchema.parse(JSON.parse(text))
      opened.set(userId, { sealed, profile })
      return profile
    },
    forget: (userId) => {
      opened.delete(userId)
    },
  }
}
