import { randomBytes } from 'node:crypto'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

const secretBytes = 32
/**
 * Fits into a path segment: the router takes at most 100 characters. The revision of the request follows a dot; links
 * of earlier releases and of operators have none.
 */
const wellFormed = /^([\w-]{43}([\w-]{43}))(?:\.([0-9a-z]{1,10}))?$/

/**
 * A token is 32 random bytes followed by the e-mail index. The index identifies the stream, so a link can be checked
 * without any read model. Without the key the index does not reveal the address.
 */
export const newResetToken = (emailIndex: string): string =>
  randomBytes(secretBytes).toString('base64url') + Buffer.from(emailIndex, 'hex').toString('base64url')

/** The e-mail index in a token; undefined for a malformed token. */
export const emailIndexOf = (token: string): string | undefined => {
  const index = wellFormed.exec(token)?.[2]
  return index === undefined ? undefined : Buffer.from(index, 'base64url').toString('hex')
}

/** The recorded hash of a token. The revision is not part of the hash, because it only names a stream revision. */
export const resetTokenHash = (vault: Pick<PersonalDataVault, 'index'>, token: string): string =>
  vault.index('reset-token', wellFormed.exec(token)?.[1] ?? token)

export const withRevision = (token: string, revision: number): string => `${token}.${revision.toString(36)}`

/** The revision of the token's request in its stream; 0 if the token has none. */
export const revisionOf = (token: string): number => {
  const revision = wellFormed.exec(token)?.[3]
  return revision === undefined ? 0 : Number.parseInt(revision, 36)
}
