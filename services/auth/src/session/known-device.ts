import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { type Cookie, readCookie } from '@portal/platform/session/cookies'
import type { FastifyRequest } from 'fastify'
import { constantTimeEqual } from '../constant-time-equal.ts'

/** Cookie names never change. */
const deviceCookie = 'portal_device'
const validMs = 180 * 24 * 60 * 60 * 1_000
/** Accounts per browser. A new entry replaces the oldest. */
const mostEntries = 4
const separator = '~'

/** Random id, expiry in seconds, and a keyed hash of both and of the account. */
const entryForm = /^([\w-]{22,64})\.(\d{1,12})\.([0-9a-f]{16,128})$/

type Keyed = Pick<PersonalDataVault, 'index'>

const hashOf = (vault: Keyed, emailIndex: string, id: string, expiry: string): string =>
  vault.index('device', `${emailIndex} ${id} ${expiry}`)

const entriesOf = (request: Pick<FastifyRequest, 'headers'>): readonly string[] =>
  (readCookie(request.headers.cookie, deviceCookie)?.split(separator) ?? [])
    .filter((entry) => entryForm.test(entry))
    .slice(-mostEntries)

const idFor = (vault: Keyed, emailIndex: string, entry: string, now: Date): string | undefined => {
  const [, id, expiry, hash] = entryForm.exec(entry) ?? []
  if (id === undefined || expiry === undefined || hash === undefined) return undefined
  return constantTimeEqual(hash, hashOf(vault, emailIndex, id, expiry)) && Number(expiry) * 1_000 > now.getTime()
    ? id
    : undefined
}

/**
 * The id of the device if the account has logged in from it before, as its cookie proves. Failed logins elsewhere then
 * do not block this device. The cookie is no credential, and reveals no account without the key.
 */
export const knownDeviceOf = (
  vault: Keyed,
  request: Pick<FastifyRequest, 'headers'>,
  emailIndex: string,
  now: Date,
): string | undefined => {
  for (const entry of entriesOf(request)) {
    const id = idFor(vault, emailIndex, entry, now)
    if (id !== undefined) return id
  }
  return undefined
}

/** Cookie for the response to a login or a password reset. Keeps the entries of other accounts. */
export const knownDeviceCookie = (
  vault: Keyed,
  request: Pick<FastifyRequest, 'headers'>,
  { emailIndex, newId, now }: { readonly emailIndex: string; readonly newId: string; readonly now: Date },
): Cookie => {
  const expiresAt = new Date(now.getTime() + validMs)
  const expiry = String(Math.floor(expiresAt.getTime() / 1_000))
  const id = knownDeviceOf(vault, request, emailIndex, now) ?? newId
  const others = entriesOf(request).filter((entry) => idFor(vault, emailIndex, entry, now) === undefined)
  const own = `${id}.${expiry}.${hashOf(vault, emailIndex, id, expiry)}`
  return {
    name: deviceCookie,
    value: [...others, own].slice(-mostEntries).join(separator),
    // The cookie prefix `__Host-` requires this path.
    path: '/',
    sameSite: 'Strict',
    expiresAt,
  }
}
