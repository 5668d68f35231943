import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { createSeedAccount, type SeedAccountDeps, type SeedOutcome } from './seed-account.ts'

type Deps = SeedAccountDeps & { readonly passwords: PasswordHashing }

export type FacultyMember = {
  readonly email: string
  readonly fullName: string
  readonly password: string
  readonly universityName?: string
}

/** Makes a member of the faculty: nobody can register as one. One who is there gets the password if theirs is another. */
export const createSeedFaculty = (deps: Deps) => {
  const { passwords } = deps
  const seedAccount = createSeedAccount(deps)
  return async ({ email, fullName, password, universityName = '' }: FacultyMember): Promise<SeedOutcome> =>
    seedAccount(
      { role: 'faculty', fullName, personalEmail: email.toLowerCase(), mobileNumber: '', universityName },
      {
        hash: await passwords.hash(password),
        isOf: async (stored) => (await passwords.verify(stored, password)) === 'right',
      },
    )
}
export type SeedFaculty = ReturnType<typeof createSeedFaculty>
