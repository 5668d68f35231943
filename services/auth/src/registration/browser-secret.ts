import { registrationCookie } from '@portal/contracts/auth/http'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { type Cookie, readCookie } from '@portal/platform/session/cookies'
import type { FastifyRequest } from 'fastify'
import { codeLimits } from './code-limits.ts'

const wellFormed = /^[\w-]{43}$/

/** The secret that this browser got when it began a registration; undefined for a caller without cookies. */
export const browserSecretOf = (request: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const value = readCookie(request.headers.cookie, registrationCookie)
  return value !== undefined && wellFormed.test(value) ? value : undefined
}

/** One secret may serve several registrations, so that a browser can register two accounts in two tabs. */
export const browserCookie = (secret: string, now: Date): Cookie => ({
  name: registrationCookie,
  value: secret,
  path: '/',
  sameSite: 'Strict',
  expiresAt: new Date(now.getTime() + codeLimits.browserSecretMs),
})

/** The recorded hash of the secret. It includes the address, so it does not link registrations of one browser. */
export const browserHashOf = (
  vault: Pick<PersonalDataVault, 'index'>,
  emailIndex: string,
  secret: string | undefined,
): string | undefined => (secret === undefined ? undefined : vault.index('browser', `${emailIndex} ${secret}`))
