import { randomInt } from 'node:crypto'
import { recoveryCodeCount } from '@portal/contracts/auth/second-factor'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

/** Letters and digits that do not look alike, without regard to case. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const halfChars = 6

const randomHalf = (): string =>
  Array.from({ length: halfChars }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** Such as kr7tq2-m9wbhz: 59 bits. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: recoveryCodeCount }, () => `${randomHalf()}-${randomHalf()}`)

/** The keyed hash that is recorded instead of the code. */
export const recoveryCodeHash = (vault: Pick<PersonalDataVault, 'index'>, userId: UserId, typed: string): string =>
  vault.index('recovery-code', `${userId} ${typed.toLowerCase().replaceAll(/[\s-]/g, '')}`)
