import type { EncryptedText } from '@portal/contracts/auth/events'
import { universityIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { z } from 'zod'

/** The encrypted `profile` of a user: all data that identifies them. */
const profileSchema = z.object({
  fullName: z.string(),
  personalEmail: z.string(),
  mobileNumber: z.string(),
  /** When the learner registered. What it is called now: current-university.ts. */
  universityName: z.string(),
  /** Missing if the list could not be read, and in profiles from before it was recorded. */
  universityId: universityIdSchema.optional(),
  studentCode: z.string(),
  /** Of notifications; BCP 47. Missing for English. */
  notificationLanguage: z.string().optional(),
})
export type Profile = z.infer<typeof profileSchema>

type Opens = Pick<PersonalDataVault, 'decrypt'>

/** Undefined for an erased user. */
export const openProfile = async (
  vault: Opens,
  userId: UserId,
  encrypted: EncryptedText,
): Promise<Profile | undefined> => {
  const text = await vault.decrypt(userId, encrypted)
  return text === undefined ? undefined : profileSchema.parse(JSON.parse(text))
}

const maxCachedProfiles = 20_000

export type ProfileCache = {
  /** Undefined for an erased user. */
  open(userId: UserId, encrypted: EncryptedText): Promise<Profile | undefined>
  drop(userId: UserId): void
}

/** Decrypts profiles and caches the result until the ciphertext changes. */
export const createProfileCache = (vault: Opens): ProfileCache => {
  const opened = boundedCache<UserId, { readonly encrypted: EncryptedText; readonly profile: Profile }>(
    maxCachedProfiles,
  )
  return {
    open: async (userId, encrypted) => {
      const known = opened.get(userId)
      if (known?.encrypted === encrypted) return known.profile
      const profile = await openProfile(vault, userId, encrypted)
      if (profile) opened.set(userId, { encrypted, profile })
      return profile
    },
    drop: (userId) => {
      opened.delete(userId)
    },
  }
}
