import { createHash } from 'node:crypto'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Profile } from '../user/profile.ts'
import type { RegistrationDetails } from './events.ts'

/** Digits and letters, without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeChars = 8

/** The student code, such as MIN-2026-7K3FQ9XD. It is derived from the id, so it is always the same. */
export const studentCodeOf = (userId: UserId, registeredAt: Date): string => {
  const digest = createHash('sha256').update(userId).digest()
  const characters = Array.from(digest.subarray(0, codeChars), (byte) => alphabet.charAt(byte % alphabet.length))
  return `MIN-${registeredAt.getUTCFullYear()}-${characters.join('')}`
}

type Person = Pick<RegistrationDetails, 'userId' | 'role'> & {
  readonly profile: Profile
  readonly passwordHash: string
}

/** The recorded data of a person: hashes for lookups, and the rest encrypted with their own key. */
export const encryptDetails = async (
  vault: Pick<PersonalDataVault, 'index' | 'encrypt'>,
  { userId, role, profile, passwordHash }: Person,
): Promise<RegistrationDetails> => ({
  userId,
  role,
  emailIndex: vault.index('email', profile.personalEmail),
  mobileIndex: vault.index('mobile', profile.mobileNumber),
  profile: await vault.encrypt(userId, JSON.stringify(profile)),
  credential: await vault.encrypt(userId, passwordHash),
})

/** Details of an admin who has only an e-mail address so far. */
export const encryptAdminDetails = (
  vault: Pick<PersonalDataVault, 'index' | 'encrypt'>,
  { userId, email, passwordHash }: { readonly userId: UserId; readonly email: string; readonly passwordHash: string },
): Promise<RegistrationDetails> => {
  const profile = { fullName: 'Admin', personalEmail: email, mobileNumber: '', universityName: '', studentCode: '' }
  return encryptDetails(vault, { userId, role: 'admin', profile, passwordHash })
}
