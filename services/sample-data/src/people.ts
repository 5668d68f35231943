import type { PasswordHashing } from '@portal/auth/passwords/password-hashing'
import { type AccountPorts, seedAccount, type SeededPassword, type SeededPerson, type SeedResult } from './accounts.ts'
import { learnerName } from './learner-names.ts'

export type PeoplePorts = AccountPorts & { readonly passwords: Pick<PasswordHashing, 'hash' | 'verify'> }

export type LearnersRequest = {
  readonly count: number
  /** Password of all learners. */
  readonly password: string
  readonly universityNames?: readonly string[]
}
export type SeededLearners = { readonly created: number; readonly existing: number }

type FacultyMember = {
  readonly email: string
  readonly fullName: string
  readonly password: string
  readonly universityName?: string
}

/** Concurrent appends share one write to the disk. */
const concurrency = 64

export const seededEmail = (n: number): string => `learner-${String(n).padStart(4, '0')}@example.com`

const learner = (n: number, universityNames: readonly string[]): SeededPerson => ({
  role: 'student',
  fullName: learnerName(n),
  personalEmail: seededEmail(n),
  mobileNumber: String(9_000_000_000 + n),
  universityName: universityNames[n % universityNames.length] ?? '',
})

/** Learners of one seeding share a hash, so few hashes need to be verified. */
const seededPassword = async (passwords: PeoplePorts['passwords'], password: string): Promise<SeededPassword> => {
  const hash = await passwords.hash(password)
  const verified = new Map<string, Promise<boolean>>([[hash, Promise.resolve(true)]])
  return {
    hash,
    isOf: (stored) => {
      const known = verified.get(stored) ?? passwords.verify(stored, password).then((outcome) => outcome === 'right')
      verified.set(stored, known)
      return known
    },
  }
}

/**
 * Seeds learners for trials and measurements. They share one hash, because a thousand hashes would take half a minute.
 * Existing learners are kept and get the password.
 */
export const seedLearners = async (
  { passwords, ...ports }: PeoplePorts,
  { count, password, universityNames = [] }: LearnersRequest,
): Promise<SeededLearners> => {
  const wanted = await seededPassword(passwords, password)
  const outcomes = { created: 0, existing: 0, 'address-taken': 0 }
  let next = 1
  const worker = async () => {
    while (next <= count) outcomes[await seedAccount(ports, learner(next++, universityNames), wanted)] += 1
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const { created, existing } = outcomes
  return { created, existing: existing + outcomes['address-taken'] }
}

/** Records a faculty member, which registration does not allow. An existing one gets the password. */
export const seedFaculty = async (
  { passwords, ...ports }: PeoplePorts,
  { email, fullName, password, universityName = '' }: FacultyMember,
): Promise<SeedResult> => {
  const personalEmail = email.toLowerCase()
  const person = { role: 'faculty', fullName, personalEmail, mobileNumber: '', universityName } as const
  return seedAccount(ports, person, await seededPassword(passwords, password))
}
