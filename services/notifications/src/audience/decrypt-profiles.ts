import type { UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { TamperedError } from '@portal/platform/personal-data/encryption'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type BucketPeople, fingerprintOf, type PersonRecord } from './bucket-people.ts'
import { createProfileParser, type IndexedProfile, type UniversityPool } from './indexed-person.ts'
import { readSomeUsers, type StoredUser } from './read-users.ts'

type DecryptProfilesDeps = {
  readonly readModel: Pick<ReadStore, 'entries'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly logger: Pick<Logger, 'error'>
  readonly signal: AbortSignal
  readonly universities: Pick<UniversityPool, 'of'>
}

/** Called for each user at once, because the vault can fail for a later one. */
type OnDecrypted = (record: PersonRecord) => void

const readAtOnce = 200

/** Concurrently, because a vault on a server answers each call after a round trip. About a millisecond of work. */
const decryptedAtOnce = 15

const isUnreadable = (error: unknown): boolean =>
  error instanceof TamperedError || error instanceof SyntaxError || error instanceof z.ZodError

/** Returns the function that decrypts the missing profiles of a bucket. */
export const createDecryptProfiles = ({ readModel, vault, logger, signal, universities }: DecryptProfilesDeps) => {
  const parse = createProfileParser(universities)
  const unreadable = parse(JSON.stringify({ fullName: '', personalEmail: '', universityName: '', studentCode: '' }))

  /** Undefined for an erased user. */
  const open = async ({ userId, profile }: StoredUser): Promise<IndexedProfile | undefined> => {
    try {
      const json = await vault.decrypt(userId, profile)
      return json === undefined ? undefined : parse(json)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      logger.error({ err: error, userId }, 'profile cannot be decrypted, user has no name in the send form')
      return unreadable
    }
  }

  const decrypt = async (state: BucketPeople, user: StoredUser, onDecrypted: OnDecrypted): Promise<void> => {
    const profile = await open(user)
    const record = state.people.get(user.userId)
    // The profile has changed meanwhile; the next refresh decrypts it.
    if (record?.fingerprint !== fingerprintOf(user.profile)) return
    state.undecrypted.delete(user.userId)
    record.profile = profile
    // The key is destroyed before the erasure is projected.
    record.isErased = profile === undefined
    onDecrypted(record)
  }

  return async (bucket: string, state: BucketPeople, onDecrypted: OnDecrypted): Promise<void> => {
    const missing: readonly UserId[] = [...state.undecrypted]
    for (let from = 0; from < missing.length; from += readAtOnce) {
      const users = await readSomeUsers(readModel, bucket, missing.slice(from, from + readAtOnce))
      for (let next = 0; next < users.length; next += decryptedAtOnce) {
        await yieldToEventLoop()
        signal.throwIfAborted()
        await Promise.all(users.slice(next, next + decryptedAtOnce).map((user) => decrypt(state, user, onDecrypted)))
      }
    }
  }
}
