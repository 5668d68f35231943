import { randomBytes } from 'node:crypto'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

const secretBytes = 32
/** Short enough for a part of an address: the router takes at most 100 characters. */
const wellFormed = /^[\w-]{43}([\w-]{43})$/

/**
 * 32 random bytes, and behind them the index of the e-mail address, by which the stream is found: a link works whatever state
 * the read models are in. Without the key the index says nothing about the address.
 */
export const newResetToken = (emailIndex: string): string =>
  randomBytes(secretBytes).toString('base64url') + Buffer.from(emailIndex, 'hex').toString('base64url')

/** Whose token this would be; undefined for a text that is none. */
export const emailIndexOf = (token: string): string | undefined => {
  const index = wellFormed.exec(token)?.[1]
  return index === undefined ? undefined : Buffer.from(index, 'base64url').toString('hex')
}

/** What is kept of a token. */
export const resetTokenHash = (vault: Pick<PersonalDataVault, 'index'>, token: string): string =>
  vault.index('reset-token', token)
