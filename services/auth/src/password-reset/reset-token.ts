import { randomBytes } from 'node:crypto'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

const secretBytes = 32
/**
 * Short enough for a part of an address: the router takes at most 100 characters. A revision follows after a dot, where its request
 * is recorded in the stream; links of earlier releases and of operators have none.
 */
const wellFormed = /^([\w-]{43}([\w-]{43}))(?:\.([0-9a-z]{1,10}))?$/

/**
 * 32 random bytes, and behind them the index of the e-mail address, by which the stream is found: a link works whatever state
 * the read models are in. Without the key the index says nothing about the address.
 */
export const newResetToken = (emailIndex: string): string =>
  randomBytes(secretBytes).toString('base64url') + Buffer.from(emailIndex, 'hex').toString('base64url')

/** Whose token this would be; undefined for a text that is none. */
export const emailIndexOf = (token: string): string | undefined => {
  const index = wellFormed.exec(token)?.[2]
  return index === undefined ? undefined : Buffer.from(index, 'base64url').toString('hex')
}

/** What is kept of a token. The revision is no part of it: it only says where to look. */
export const resetTokenHash = (vault: Pick<PersonalDataVault, 'index'>, token: string): string =>
  vault.index('reset-token', wellFormed.exec(token)?.[1] ?? token)

export const withRevision = (token: string, revision: number): string => `${token}.${revision.toString(36)}`

/** Where the token's request is recorded in its stream. 0 for a token that does not say. */
export const revisionOf = (token: string): number => {
  const revision = wellFormed.exec(token)?.[3]
  return revision === undefined ? 0 : Number.parseInt(revision, 36)
}
