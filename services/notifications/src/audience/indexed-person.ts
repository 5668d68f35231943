import { cleanEmail } from '@portal/contracts/shared/typed-input'
import type { Role } from '@portal/contracts/auth/user'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Person } from '@portal/contracts/notifications/audience'
import type { AccountState } from '@portal/contracts/notifications/people'
import type { CurrentUniversityName, StatedUniversity } from '@portal/contracts/catalog/university-names'
import { type ProgramRecordId, universityIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { normalizeText, searchWords } from '@portal/contracts/shared/search-text'
import { z } from 'zod'

/** What a rule sees of an enrollment. Users with the same one share the object. */
export type IndexedEnrollment = {
  readonly programId: ProgramRecordId
  readonly paymentStatus: Enrollment['paymentStatus']
  /** The number of the current semester. */
  readonly semester: number
  /** The number of the next installment that is open. */
  readonly installmentDue: number | undefined
}

/** What a university is called now. Users of the same university share the object. */
export type University = { readonly name: string; readonly key: string }

/** The decrypted part. The mobile number is dropped, because no rule uses it. */
export type IndexedProfile = {
  readonly fullName: string
  readonly personalEmail: string
  readonly studentCode: string
  readonly university: University
  /** The e-mail address and the student code as contacts match them. */
  readonly emailKey: string
  readonly codeKey: string
  /** Name, e-mail address and student code, normalized: for search, and for the order of names. */
  readonly searchKey: string
}

/** A user as rules see them. */
export type IndexedPerson = {
  readonly userId: UserId
  readonly role: Role
  readonly emailVerified: boolean
  /** No rule selects them, and no list of recipients to choose has them. */
  readonly isDeactivated: boolean
  /** In milliseconds since 1970. */
  readonly registeredAtMs: number
  readonly enrollments: readonly IndexedEnrollment[]
  /** Undefined until it is decrypted. */
  readonly profile: IndexedProfile | undefined
}

/** The place of a user in each order of the index when it was last sorted. */
export type Ranks = { readonly rank: number; readonly emailRank: number; readonly registrationRank: number }
export type RankedPerson = IndexedPerson & Ranks

/** Learners of one program. The same index is of one learner everywhere, which takes less memory than an object each. */
export type ProgramLearners = {
  readonly people: readonly RankedPerson[]
  readonly enrollments: readonly IndexedEnrollment[]
  /** When each enrollment began, in milliseconds since 1970. */
  readonly enrolledAtMs: readonly number[]
}

const storedProfileSchema = z.object({
  fullName: z.string(),
  personalEmail: z.string(),
  universityName: z.string(),
  universityId: universityIdSchema.optional().catch(undefined),
  studentCode: z.string(),
})

/** Bounds the memory if names of universities are free text, which no rename concerns. */
const maxSharedUniversities = 10_000

type SharedUniversity = { stated: StatedUniversity; name: string; key: string }

/** The universities of all profiles. */
export const createUniversityPool = () => {
  const universities = new Map<string, SharedUniversity>()
  let currentName: CurrentUniversityName = ({ universityName }) => universityName
  const shared = (stated: StatedUniversity): SharedUniversity => {
    const name = currentName(stated)
    return { stated, name, key: normalizeText(name) }
  }
  return {
    of: (stated: StatedUniversity): University => {
      const poolKey = `${stated.universityId ?? ''} ${normalizeText(stated.universityName)}`
      const known = universities.get(poolKey)
      if (known) return known
      const university = shared(stated)
      if (stated.universityId || universities.size < maxSharedUniversities) universities.set(poolKey, university)
      return university
    },
    /** Those with one of these names now. */
    named: (names: readonly string[]): ReadonlySet<University> => {
      const keys = new Set(names.map(normalizeText))
      return new Set([...universities.values()].filter(({ key }) => keys.has(key)))
    },
    /** Changes the shared objects, so that a rename costs the same whatever the number of users is. */
    rename: (next: CurrentUniversityName): void => {
      if (next === currentName) return
      currentName = next
      for (const university of universities.values()) Object.assign(university, shared(university.stated))
    },
  }
}
export type UniversityPool = ReturnType<typeof createUniversityPool>

/** Returns the parser of decrypted profiles. */
export const createProfileParser = (universities: Pick<UniversityPool, 'of'>) => {
  return (json: string): IndexedProfile => {
    const { fullName, personalEmail, studentCode, ...stated } = storedProfileSchema.parse(JSON.parse(json))
    const searchKey = [fullName, personalEmail, studentCode].map(normalizeText).join('\n')
    const [emailKey, codeKey] = [cleanEmail(personalEmail), studentCode.toLowerCase()]
    const university = universities.of(stated)
    return { fullName, personalEmail, studentCode, university, emailKey, codeKey, searchKey }
  }
}

export const accountStateOf = ({ isDeactivated }: Pick<IndexedPerson, 'isDeactivated'>): AccountState =>
  isDeactivated ? 'deactivated' : 'active'

export const presentPerson = ({ userId, role, emailVerified }: IndexedPerson, profile: IndexedProfile): Person => {
  const { fullName, personalEmail, studentCode, university } = profile
  return { userId, fullName, personalEmail, role, universityName: university.name, studentCode, emailVerified }
}

/** Returns the predicate of a search: every word occurs in some field. */
export const matchesWords = (q: string): ((person: Pick<IndexedPerson, 'role' | 'profile'>) => boolean) => {
  const words = searchWords(q)
  return ({ role, profile }) =>
    words.every(
      (word) => profile?.searchKey.includes(word) || role.includes(word) || profile?.university.key.includes(word),
    )
}
