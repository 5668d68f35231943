import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Role, User, UserSummary } from '@portal/contracts/auth/user'
import { allBucketKeys, bucketKey } from '@portal/contracts/shared/buckets'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { readModelLimits } from '@portal/platform/read-model/limits'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import type { CurrentUniversities } from './current-university.ts'
import { userDecider } from './decider.ts'
import type { ProfileCache, Profile } from './profile.ts'
import { type DirectoryEntry, directoryEntrySchema, directoryHeadOf, directoryHeadRef, userList } from './projection.ts'

export type Directory = {
  /** Undefined for an unknown or erased user. */
  find(userId: UserId): Promise<User | undefined>
  /** All users sorted by name, as the JSON of a UserSummary list. */
  listAsJson(): Promise<string>
  /** Also deactivated ones. */
  admins(): Promise<readonly UserId[]>
}

export type PresentUser = (userId: UserId, role: Role, profile: Profile) => Promise<User>

export const createPresentUser =
  (currentUniversities: CurrentUniversities): PresentUser =>
  async (userId, role, { universityId, universityName, ...profile }) => {
    const currentName = await currentUniversities()
    return {
      _id: userId,
      ...profile,
      universityName: currentName({ universityId, universityName }),
      profileImage: '',
      role,
    }
  }

type Row = { readonly userId: UserId; readonly role: Role; readonly sortKey: string; readonly json: string }
type Bucket = { readonly changes: number; readonly rows: readonly Row[] }

/** Decrypting this many profiles takes about a millisecond; then the event loop serves other requests. */
const openedPerTurn = 15

type DirectoryDeps = {
  readonly readModel: ReadStore
  readonly profiles: ProfileCache
  readonly presentUser: PresentUser
}

export const createDirectory = ({ readModel, profiles, presentUser }: DirectoryDeps): Directory => {
  const known = new Map<string, Bucket>()
  let listJson = '[]'
  let inFlight: Promise<unknown> = Promise.resolve()

  const readBucket = async (bucket: string): Promise<readonly Row[]> => {
    const rows: Row[] = []
    for await (const { member, value } of entriesOf(readModel, bucket)) {
      const userId = userIdSchema.parse(member)
      const entry = directoryEntrySchema.parse(value)
      const opened = await profiles.open(userId, entry.profile)
      if (opened) rows.push(rowOf(userId, entry, opened))
      if (rows.length % openedPerTurn === 0) await nextTurn()
    }
    return rows
  }

  /** Reads only the buckets that have changed. */
  const refresh = async (): Promise<string> => {
    const heads = await readModel.getMany(allBucketKeys.map(directoryHeadRef))
    const changed = allBucketKeys
      .map((bucket, n) => ({ bucket, changes: directoryHeadOf(heads[n]).changes }))
      .filter(({ bucket, changes }) => changes !== (known.get(bucket)?.changes ?? 0))
    for (const { bucket, changes } of changed) known.set(bucket, { changes, rows: await readBucket(bucket) })
    if (changed.length > 0) listJson = joined([...known.values()].flatMap(({ rows }) => rows))
    return listJson
  }

  /** One refresh after the other: a shared one may have begun before a change of this caller and lack it. */
  const refreshInTurn = (): Promise<string> => {
    const mine = inFlight.then(refresh)
    inFlight = mine.catch(() => undefined)
    return mine
  }

  return {
    find: async (userId) => {
      const entry = await readModel.entry(bucketKey(userId), userList, userId)
      if (!entry) return undefined
      const { role, profile } = directoryEntrySchema.parse(entry.value)
      const opened = await profiles.open(userId, profile)
      return opened && presentUser(userId, role, opened)
    },
    listAsJson: refreshInTurn,
    admins: async () => {
      await refreshInTurn()
      return [...known.values()].flatMap(({ rows }) => rows.flatMap((row) => (row.role === 'admin' ? row.userId : [])))
    },
  }
}

async function* entriesOf(readModel: ReadStore, bucket: string): AsyncGenerator<Entry> {
  const limit = readModelLimits.entriesPerRange
  for (let from = 0; ;) {
    const entries = await readModel.range(bucket, userList, { from, order: 'ascending', limit })
    yield* entries
    const last = entries.at(-1)
    if (!last || entries.length < limit) return
    from = last.score + 1
  }
}

const rowOf = (userId: UserId, entry: DirectoryEntry, { fullName, personalEmail }: Profile): Row => {
  const { role, emailVerified = true } = entry
  const summary: UserSummary = { _id: userId, fullName, personalEmail, role, emailVerified }
  return { userId, role, sortKey: `${sortable(fullName)}\n${personalEmail}`, json: JSON.stringify(summary) }
}

/** Ignores case and accents. Compared as plain text: a locale-aware order would take a hundred times as long. */
const sortable = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const joined = (rows: readonly Row[]): string => {
  const sorted = rows.toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0))
  return `[${sorted.map(({ json }) => json).join(',')}]`
}

type FindUserDeps = {
  readonly directory: Directory
  readonly eventStore: Pick<EventStore, 'read'>
  readonly profiles: ProfileCache
  readonly presentUser: PresentUser
}

/**
 * Returns undefined for an unknown or erased user, which ends the session. Falls back to the log, because a directory
 * that is behind or being rebuilt must not log users out.
 */
export const createFindUser =
  ({ directory, eventStore, profiles, presentUser }: FindUserDeps) =>
  async (userId: UserId): Promise<User | undefined> => {
    const listed = await directory.find(userId)
    if (listed) return listed
    const { state } = await loadState(eventStore, userDecider, userId)
    if (state.status !== 'active') return undefined
    const profile = await profiles.open(userId, state.profile)
    return profile && presentUser(userId, state.role, profile)
  }
export type FindUser = ReturnType<typeof createFindUser>
