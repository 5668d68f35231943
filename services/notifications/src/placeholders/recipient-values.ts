import { enrolledPartition } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { TamperedError } from '@portal/platform/personal-data/encryption'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Checkpoints, Entry, ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { z } from 'zod'
import {
  audienceProjection,
  enrollmentEntrySchema,
  enrollmentList,
  enrollmentMember,
  programsPartition,
} from '../audience/projection.ts'
import { readPrograms, readSomeUsers, type StoredUser } from '../audience/read-users.ts'

/** What a recipient's texts depend on: their language, and what their placeholders are filled with. */
export type RecipientValues = {
  readonly name?: string
  readonly code?: string
  /** BCP 47; absent for English. */
  readonly language?: string | undefined
  /** Current programs in which the recipient is enrolled, the newest enrollment first. */
  readonly programs: readonly { readonly programId: ProgramRecordId; readonly programName: string }[]
}

/** The values of users who are unknown, erased or deactivated. */
export const noValues: RecipientValues = { programs: [] }

/** About five megabytes. */
const maxCachedUsers = 10_000
/** The read model's limit. */
const maxEntriesPerRead = 1_000
/** Concurrently, because a vault on a server answers each call after a round trip. */
const decryptedAtOnce = 15

const profileSchema = z.object({
  fullName: z.string(),
  studentCode: z.string(),
  notificationLanguage: z.string().optional(),
})

const isUnreadable = (error: unknown): boolean =>
  error instanceof TamperedError || error instanceof SyntaxError || error instanceof z.ZodError

type RecipientValuesDeps = {
  readonly audience: Pick<ReadStore, 'lineage' | 'entries' | 'range'> & Pick<Checkpoints, 'position'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly logger: Pick<Logger, 'error'>
}

type Cached = { readonly version: string; readonly values: RecipientValues }
type Programs = ReadonlyMap<ProgramRecordId, string>

const slicesOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/**
 * Reads the values of recipients. A read includes every change that was projected before it: cached values count only while
 * nothing has changed in the partitions that they come from.
 */
export const createRecipientValues = ({ audience, vault, logger }: RecipientValuesDeps) => {
  const cache = new LRUCache<UserId, Cached>({ max: maxCachedUsers })
  let programs: { readonly version: string; readonly names: Programs } | undefined

  const positionOf = async (partition: string): Promise<string> =>
    (await audience.position(audienceProjection.name, partition)) ?? ''

  /** Positions of another lineage can be equal by chance. */
  const versionsOf = async (bucket: string) => {
    const lineage = audience.lineage()
    const positions = await Promise.all([bucket, enrolledPartition(bucket), programsPartition].map(positionOf))
    return { all: [lineage, ...positions].join(' '), programs: [lineage, positions[2]].join(' ') }
  }

  const programsAt = async (version: string): Promise<Programs> => {
    if (programs?.version !== version) programs = { version, names: await readPrograms(audience) }
    return programs.names
  }

  const profileOf = async ({ userId, profile, isDeactivated }: StoredUser) => {
    if (isDeactivated) return undefined
    try {
      const json = await vault.decrypt(userId, profile)
      return json === undefined ? undefined : profileSchema.parse(JSON.parse(json))
    } catch (err) {
      if (!isUnreadable(err)) throw err
      logger.error({ err, userId }, 'profile cannot be decrypted, placeholders have no values')
      return undefined
    }
  }

  const enrollmentsIn = async (
    bucket: string,
    userIds: readonly UserId[],
    names: Programs,
  ): Promise<ReadonlyMap<UserId, RecipientValues['programs']>> => {
    const wanted = userIds.flatMap((userId) =>
      [...names.keys()].map((programId) => ({
        list: enrollmentList,
        member: enrollmentMember({ userId, programId }),
      })),
    )
    const found: Entry[] = []
    for (const slice of slicesOf(wanted, maxEntriesPerRead)) {
      const entries = await audience.entries(enrolledPartition(bucket), slice)
      found.push(...entries.flatMap((entry) => entry ?? []))
    }
    const byUser = new Map<UserId, { programId: ProgramRecordId; programName: string }[]>()
    // Scores number the enrollments of a bucket.
    for (const { value } of found.toSorted((a, b) => b.score - a.score)) {
      const { userId, programId, programName = '' } = enrollmentEntrySchema.parse(value)
      const enrolled = { programId, programName: names.get(programId) ?? programName }
      byUser.set(userId, [...(byUser.get(userId) ?? []), enrolled])
    }
    return byUser
  }

  const readBucket = async (bucket: string, userIds: readonly UserId[], names: Programs) => {
    const values = new Map<UserId, RecipientValues>()
    const enrolled = await enrollmentsIn(bucket, userIds, names)
    for (const slice of slicesOf(userIds, maxEntriesPerRead)) {
      for (const some of slicesOf(await readSomeUsers(audience, bucket, slice), decryptedAtOnce)) {
        await yieldToEventLoop()
        await Promise.all(
          some.map(async (user) => {
            const profile = await profileOf(user)
            if (!profile) return
            const { fullName: name, studentCode: code, notificationLanguage: language } = profile
            values.set(user.userId, { name, code, language, programs: enrolled.get(user.userId) ?? [] })
          }),
        )
      }
    }
    return values
  }

  const ofBucket = async (bucket: string, userIds: readonly UserId[]) => {
    // Before the values, which may then be newer: the next read finds another version.
    const version = await versionsOf(bucket)
    const known = userIds.flatMap((userId) => {
      const cached = cache.get(userId)
      return cached?.version === version.all ? [[userId, cached] as const] : []
    })
    const found = new Map(known)
    const missing = userIds.filter((userId) => !found.has(userId))
    if (missing.length > 0) {
      const read = await readBucket(bucket, missing, await programsAt(version.programs))
      for (const userId of missing) {
        const values = { version: version.all, values: read.get(userId) ?? noValues }
        cache.set(userId, values)
        found.set(userId, values)
      }
    }
    return found
  }

  return {
    /** Changes when the values of the user may have changed. */
    version: async (userId: UserId): Promise<string> => (await versionsOf(bucketKey(userId))).all,
    /** Every user has values, each with their version. Rejects if they cannot be read or decrypted at the moment. */
    of: async (userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Cached>> => {
      const byBucket = Map.groupBy(userIds, bucketKey)
      const found = new Map<UserId, Cached>()
      for (const [bucket, some] of byBucket)
        for (const [userId, values] of await ofBucket(bucket, some)) found.set(userId, values)
      return found
    },
  }
}
export type RecipientValuesReader = ReturnType<typeof createRecipientValues>
