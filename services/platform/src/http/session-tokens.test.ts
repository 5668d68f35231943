import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KeyRing, openKeyRing } from './key-ring.ts'
import type { Session } from './session.ts'
import { makeSessionVerifier, signSessionToken } from './session-tokens.ts'

const start = new Date('2026-03-01T10:00:00Z')
const hourMs = 3_600_000

const sessionOf = (role: Role): Session => ({
  sessionId: sessionIdSchema.parse('0192f000-0000-7000-8000-000000000001'),
  userId: userIdSchema.parse('0192f000-0000-7000-8000-000000000002'),
  role,
  expiresAt: new Date(start.getTime() + hourMs),
})

let folder: string
let clock: Date
let ended: boolean
let keyRing: KeyRing

const file = () => join(folder, 'session-keys.json')
const open = () => openKeyRing({ file: file(), now: () => clock, logger: pino({ level: 'silent' }) })
const verifierOn = (ring: KeyRing) =>
  makeSessionVerifier({ keyRing: ring, now: () => clock, isEnded: async () => ended })
const pass = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  clock = start
  ended = false
  keyRing = open()
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a session token', () => {
  it('tells the session it was signed for, until it expires', async () => {
    const session = sessionOf('student')
    const token = await signSessionToken(keyRing, session, clock)
    const verifier = verifierOn(keyRing)
    expect(await verifier.verify(token)).toEqual(session)
    pass(hourMs - 1)
    expect(await verifier.verify(token)).toEqual(session)
    pass(1)
    expect(await verifier.verify(token)).toBeUndefined()
    expect(await verifierOn(keyRing).verify(token)).toBeUndefined()
  })
  it('tells nothing once the session has been ended, at the very next use', async () => {
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    const verifier = verifierOn(keyRing)
    expect(await verifier.verify(token)).toBeDefined()
    ended = true
    expect(await verifier.verify(token)).toBeUndefined()
  })
  it('tells nothing while the clock stands before its making, whether it was seen before or not', async () => {
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    const verifier = verifierOn(keyRing)
    expect(await verifier.verify(token)).toBeDefined()
    pass(-20_000)
    expect(await verifier.verify(token)).toBeDefined()
    pass(-24 * hourMs)
    expect(await verifier.verify(token)).toBeUndefined()
    expect(await verifierOn(keyRing).verify(token)).toBeUndefined()
  })
  it('can be checked by others with the public keys alone', async () => {
    const token = await signSessionToken(keyRing, sessionOf('admin'), clock)
    const { payload } = await jwtVerify(token, createLocalJWKSet(keyRing.jwks()), { currentDate: clock })
    expect(payload).toMatchObject({ iss: 'portal', role: 'admin' })
    expect(JSON.stringify(keyRing.jwks())).not.toContain('"d"')
  })
  it('that failed to be looked up is an error, not a refusal', async () => {
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    const isEnded = () => Promise.reject(new Error('no read model'))
    const verifier = makeSessionVerifier({ keyRing, now: () => clock, isEnded })
    await expect(verifier.verify(token)).rejects.toThrow('no read model')
  })
})

describe('what is not a session token', () => {
  const claims = { iss: 'portal', sid: sessionOf('admin').sessionId, sub: sessionOf('admin').userId, role: 'admin' }

  it('tells nothing and never throws', async () => {
    const verifier = verifierOn(keyRing)
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(fc.base64String(), { maxLength: 5 }).map((p) => p.join('.')),
        ),
        async (text) => {
          expect(await verifier.verify(text)).toBeUndefined()
        },
      ),
    )
    expect(await verifier.verify(token)).toBeDefined()
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom('A', 'b', '.', '_', ' ', 'é'), async (at, change) => {
        const changed = token.slice(0, at) + change + token.slice(at + 1)
        fc.pre(changed !== token)
        expect(await verifier.verify(changed)).toBeUndefined()
      }),
    )
    expect(await verifier.verify('a'.repeat(100_000))).toBeUndefined()
  })
  it('includes unsigned ones, other algorithms, foreign keys and foreign claims', async () => {
    const { kid, key } = keyRing.signingKey()
    const foreign = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(foreign.publicKey)
    const secret = new TextEncoder().encode(JSON.stringify(keyRing.jwks().keys[0]))
    const signed = (extra: object, header: object = {}) =>
      new SignJWT({ ...claims, ...extra })
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .setIssuedAt(clock)
        .setExpirationTime(new Date(clock.getTime() + hourMs))
    const tokens = {
      good: await signed({}).sign(key),
      unsigned: new UnsecuredJWT(claims).setIssuedAt(clock).encode(),
      symmetric: await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).setIssuedAt(clock).sign(secret),
      foreignKey: await signed({}).sign(foreign.privateKey),
      ownJwk: await signed({}, { jwk }).sign(foreign.privateKey),
      unknownKid: await signed({}, { kid: 'other' }).sign(key),
      noKid: await signed({}, { kid: undefined }).sign(key),
      otherIssuer: await signed({ iss: 'elsewhere' }).sign(key),
      otherRole: await signed({ role: 'owner' }).sign(key),
      noSession: await signed({ sid: undefined }).sign(key),
      noExpiry: await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).setIssuedAt(clock).sign(key),
    }
    const verifier = verifierOn(keyRing)
    const { good, ...bad } = tokens
    expect(await verifier.verify(good)).toMatchObject({ role: 'admin' })
    for (const [name, token] of Object.entries(bad))
      expect([name, await verifier.verify(token)]).toEqual([name, undefined])
  })
})

describe('the key ring', () => {
  it('is kept for its owner alone, and is the same after a restart', async () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    expect(await verifierOn(open()).verify(token)).toBeDefined()
  })
  it('signs with a new key after a rotation, and still knows the one before', async () => {
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    const { kid } = keyRing.signingKey()
    keyRing.rotate('keep-previous')
    expect(keyRing.signingKey().kid).not.toBe(kid)
    expect(await verifierOn(keyRing).verify(token)).toBeDefined()
    for (let i = 0; i < 5; i++) keyRing.rotate('keep-previous')
    expect(keyRing.jwks().keys).toHaveLength(3)
    expect(await verifierOn(keyRing).verify(token)).toBeUndefined()
  })
  it('takes up the rotation of another process within a second, also for tokens it remembers', async () => {
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    const verifier = verifierOn(keyRing)
    expect(await verifier.verify(token)).toBeDefined()
    open().rotate('forget-previous')
    pass(1_000)
    expect(await verifier.verify(token)).toBeUndefined()
    expect(await verifier.verify(await signSessionToken(keyRing, sessionOf('student'), clock))).toBeDefined()
  })
  it('that is lost while running goes on; after a restart all have to log in again', async () => {
    const token = await signSessionToken(keyRing, sessionOf('student'), clock)
    rmSync(file())
    pass(1_000)
    expect(await verifierOn(keyRing).verify(token)).toBeDefined()
    expect(await verifierOn(open()).verify(token)).toBeUndefined()
  })
  it('that is spoilt ends a start with a clear line', () => {
    writeFileSync(file(), '{"keys":[]}')
    expect(open).toThrow(/session-keys\.json does not hold session keys: restore it, or remove it/)
  })
})
