import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { learnerName } from './learner-names.ts'
import { createSeedAccount, type SeedAccountDeps, type SeededPassword, type SeededPerson } from './seed-account.ts'

type Deps = SeedAccountDeps & { readonly passwords: PasswordHashing }

export type SeedOptions = {
  readonly count: number
  /** Of all of them. */
  readonly password: string
  readonly universityNames?: readonly string[]
}
export type Seeded = { readonly created: number; readonly existing: number }

/** Appends that are under way together share one write to the disk. */
const concurrency = 64

export const seededEmail = (n: number): string => `learner-${String(n).padStart(4, '0')}@example.com`

const learner = (n: number, universityNames: readonly string[]): SeededPerson => ({
  role: 'student',
  fullName: learnerName(n),
  personalEmail: seededEmail(n),
  mobileNumber: String(9_000_000_000 + n),
  universityName: universityNames[n % universityNames.length] ?? '',
})

/**
 * Fills a portal with learners for trying out and measuring. They share one hash: hashing is slow by design, and a thousand
 * of them would take half a minute. Those who are there already are kept, and get the password if theirs is another one.
 */
export const createSeedLearners = (deps: Deps) => {
  const { passwords } = deps
  const seedAccount = createSeedAccount(deps)

  /** Learners of one seeding share a hash, so few need to be tried. */
  const shared = async (password: string): Promise<SeededPassword> => {
    const hash = await passwords.hash(password)
    const tried = new Map<string, Promise<boolean>>([[hash, Promise.resolve(true)]])
    return {
      hash,
      isOf: (stored) => {
        const known = tried.get(stored) ?? passwords.verify(stored, password).then((outcome) => outcome === 'right')
        tried.set(stored, known)
        return known
      },
    }
  }

  return async ({ count, password, universityNames = [] }: SeedOptions): Promise<Seeded> => {
    const wanted = await shared(password)
    const outcomes = { created: 0, existing: 0, 'address-taken': 0 }
    let next = 1
    const worker = async () => {
      while (next <= count) outcomes[await seedAccount(learner(next++, universityNames), wanted)] += 1
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    const { created, existing } = outcomes
    return { created, existing: existing + outcomes['address-taken'] }
  }
}
export type SeedLearners = ReturnType<typeof createSeedLearners>
