import { userIdSchema } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { Completion } from '../registration/completion.ts'
import { registrationDecider } from '../registration/decider.ts'
import type { RegisterDirectly } from '../registration/register-directly.ts'
import { userDecider } from '../user/decider.ts'
import type { Profile } from '../user/profile.ts'
import { setPassword } from '../user/set-password.ts'
import { studentCodeOf } from '../user/student-code.ts'
import { learnerName } from './learner-names.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly sources: Sources
  readonly passwords: PasswordHashing
  readonly completion: Completion
  readonly registerDirectly: RegisterDirectly
}

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

/**
 * Fills a portal with learners for trying out and measuring. They share one hash: hashing is slow by design, and a thousand
 * of them would take half a minute. Those who are there already are kept, and get the password if theirs is another one.
 */
export const createSeedLearners = (deps: Deps) => {
  const { eventStore, vault, sources, passwords, completion, registerDirectly } = deps

  const profileOf = (n: number, universityNames: readonly string[]): Omit<Profile, 'studentCode'> => ({
    fullName: learnerName(n),
    personalEmail: seededEmail(n),
    mobileNumber: String(9_000_000_000 + n),
    universityName: universityNames[n % universityNames.length] ?? '',
  })

  const create = async (n: number, emailIndex: string, hash: string, universityNames: readonly string[]) => {
    const userId = userIdSchema.parse(sources.newId())
    const person = profileOf(n, universityNames)
    const profile: Profile = { ...person, studentCode: studentCodeOf(userId, sources.now()) }
    await registerDirectly({
      userId,
      role: 'student',
      emailIndex,
      mobileIndex: vault.index('mobile', person.mobileNumber),
      profile: await vault.seal(userId, JSON.stringify(profile)),
      credential: await vault.seal(userId, hash),
    })
  }

  return async ({ count, password, universityNames = [] }: SeedOptions): Promise<Seeded> => {
    const hash = await passwords.hash(password)
    /** Learners of one seeding share a hash, so few need to be tried. */
    const tried = new Map<string, Promise<boolean>>([[hash, Promise.resolve(true)]])
    const isOfPassword = (stored: string): Promise<boolean> => {
      const known = tried.get(stored) ?? passwords.verify(stored, password).then((outcome) => outcome === 'right')
      tried.set(stored, known)
      return known
    }

    const seed = async (n: number): Promise<'created' | 'existing'> => {
      const emailIndex = vault.index('email', seededEmail(n))
      const { state: registration } = await loadState(eventStore, registrationDecider, emailIndex)
      if (registration.status !== 'completed') {
        await create(n, emailIndex, hash, universityNames)
        return 'created'
      }
      const { details } = registration
      await completion.registerUser(details)
      const { state: user } = await loadState(eventStore, userDecider, details.userId)
      if (user.status !== 'active') return 'existing'
      const stored = await vault.open(user.userId, user.credential)
      if (stored !== undefined && !(await isOfPassword(stored))) {
        await setPassword(eventStore, user.userId, await vault.seal(user.userId, hash))
      }
      return 'existing'
    }

    const outcomes = { created: 0, existing: 0 }
    let next = 1
    const worker = async () => {
      while (next <= count) outcomes[await seed(next++)] += 1
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    return outcomes
  }
}
export type SeedLearners = ReturnType<typeof createSeedLearners>
