import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordedSession } from './session-record.ts'
import { makeSessionVerifier, signSessionToken } from './session-tokens.ts'
import type { Session } from './session.ts'
import { type SigningKeys, openSigningKeys } from './signing-keys.ts'

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
let signingKeys: SigningKeys
let lineage: string
/** The session record in the log, which can be made unavailable. */
let recorded: 'open' | 'ended' | 'unavailable'
let asked: number
let lastUse: RecordedSession['lastUse']

class AwayError extends Error {
  readonly isTransient = true
}
const denylist = { isEnded: async () => ended, lineage: () => lineage }
const record = {
  find: async () => {
    asked += 1
    if (recorded === 'unavailable') throw new AwayError('the log is away')
    return recorded === 'open' ? { lastUse } : undefined
  },
}

const file = () => join(folder, 'session-keys.json')
const open = () => openSigningKeys({ file: file(), now: () => clock, logger: pino({ level: 'silent' }) })
const verifierOn = (ring: SigningKeys) => makeSessionVerifier({ signingKeys: ring, now: () => clock, denylist, record })
const pass = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  clock = start
  ended = false
  lineage = 'first'
  recorded = 'open'
  asked = 0
  lastUse = 'not-idle'
  signingKeys = open()
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a session token', () => {
  it('returns its session until it expires', async () => {
    const session = sessionOf('student')
    const token = await signSessionToken(signingKeys, session, clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toEqual(session)
    pass(hourMs - 1)
    expect(await verifier.verify(token)).toEqual(session)
    pass(1)
    expect(await verifier.verify(token)).toBeUndefined()
    expect(await verifierOn(signingKeys).verify(token)).toBeUndefined()
  })
  it('is rejected on the next use after the session has ended', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toBeDefined()
    ended = true
    expect(await verifier.verify(token)).toBeUndefined()
  })
  it('[O3] stays valid if the clock is set back by up to a day, but not from further ahead, even if it was cached', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toBeDefined()
    for (const back of [60_000, hourMs, 22 * hourMs]) {
      pass(-back)
      expect(await verifier.verify(token)).toBeDefined()
      expect(await verifierOn(signingKeys).verify(token)).toBeDefined()
    }
    pass(-3 * hourMs)
    expect(await verifier.verify(token)).toBeUndefined()
    expect(await verifierOn(signingKeys).verify(token)).toBeUndefined()
  })
  it('can be verified with the public keys', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('admin'), clock)
    const { payload } = await jwtVerify(token, createLocalJWKSet(signingKeys.jwks()), { currentDate: clock })
    expect(payload).toMatchObject({ iss: 'portal', aud: 'portal', role: 'admin' })
    expect(JSON.stringify(signingKeys.jwks())).not.toContain('"d"')
  })
  it('fails with an error, and not as invalid, if the lookup fails', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const isEnded = () => Promise.reject(new Error('no read model'))
    const verifier = makeSessionVerifier({ signingKeys, now: () => clock, denylist: { ...denylist, isEnded }, record })
    await expect(verifier.verify(token)).rejects.toThrow('no read model')
  })
})

describe('a denylist that may have lost data', () => {
  it('is confirmed by the log once per token, and not on each use', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    for (let n = 0; n < 5; n++) expect(await verifier.verify(token)).toBeDefined()
    expect(asked).toBe(1)
  })
  it('does not bring back a session that ended in the log, neither after a start nor while running', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toBeDefined()
    recorded = 'ended'
    expect(await verifierOn(signingKeys).verify(token)).toBeUndefined()
    lineage = 'second'
    expect(await verifier.verify(token)).toBeUndefined()
    lineage = 'first'
    expect(await verifier.verify(token)).toBeUndefined()
  })
  it('is not trusted when it was replaced during the read', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const isEnded = async () => {
      lineage = 'second'
      return false
    }
    const options = { signingKeys, now: () => clock, denylist: { ...denylist, isEnded }, record }
    const verifier = makeSessionVerifier(options)
    lineage = 'first'
    expect(await verifier.verify(token)).toBeDefined()
    lineage = 'first'
    recorded = 'ended'
    expect(await verifier.verify(token)).toBeUndefined()
  })
  it('brings no session back for more than ten minutes, after any change', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toBeDefined()
    recorded = 'ended'
    pass(600_000)
    expect(await verifier.verify(token)).toBeUndefined()
  })
  it('leaves the decision to the log if it is unreadable', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const isEnded = () => Promise.reject(new AwayError('emptied'))
    const verifier = makeSessionVerifier({ signingKeys, now: () => clock, denylist: { ...denylist, isEnded }, record })
    expect(await verifier.verify(token)).toBeDefined()
    recorded = 'ended'
    expect(await verifier.verify(token)).toBeUndefined()
  })
  it('suffices while the log is unavailable, unless it may have lost data', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toBeDefined()
    recorded = 'unavailable'
    pass(600_000)
    expect(await verifier.verify(token)).toBeDefined()
    lineage = 'second'
    await expect(verifier.verify(token)).rejects.toThrow('the log is away')
  })
})

describe('a token of an earlier release', () => {
  const claims = { sid: sessionOf('admin').sessionId, role: 'admin' }
  const signedBy = async (kid: string, header: object, extra: object) =>
    new SignJWT({ ...claims, ...extra })
      .setProtectedHeader({ alg: 'ES256', kid, ...header })
      .setIssuer('portal')
      .setSubject(sessionOf('admin').userId)
      .setIssuedAt(clock)
      .setExpirationTime(new Date(clock.getTime() + hourMs))
      .sign(signingKeys.signingKey().key)
  /** Key files of earlier releases use UUIDs as key ids. */
  const useFormerKey = () => {
    const kid = 'b1f0b0a0-0000-4000-8000-000000000000'
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/"kid": "[^"]+"/, `"kid": "${kid}"`))
    signingKeys = open()
    return kid
  }

  it('is accepted with a key of that release until it expires', async () => {
    const kid = useFormerKey()
    const token = await signedBy(kid, { typ: 'JWT' }, {})
    expect(await verifierOn(signingKeys).verify(token)).toMatchObject({ role: 'admin' })
    expect(
      await verifierOn(signingKeys).verify(await signSessionToken(signingKeys, sessionOf('student'), clock)),
    ).toBeDefined()
    pass(hourMs)
    expect(await verifierOn(signingKeys).verify(token)).toBeUndefined()
  })
  it('is rejected with a key that never signed one', async () => {
    const { kid } = signingKeys.signingKey()
    expect(await verifierOn(signingKeys).verify(await signedBy(kid, { typ: 'JWT' }, {}))).toBeUndefined()
  })
  it('is rejected with another audience or type and any key', async () => {
    for (const keyOf of [() => signingKeys.signingKey().kid, useFormerKey]) {
      const kid = keyOf()
      const good = await signedBy(kid, { typ: 'at+jwt' }, { aud: 'portal' })
      expect(await verifierOn(signingKeys).verify(good)).toBeDefined()
      for (const [typ, aud] of [
        ['at+jwt', 'elsewhere'],
        ['at+jwt', undefined],
        ['JWT', 'portal'],
        ['JWT', 'elsewhere'],
        ['id+jwt', 'portal'],
        [undefined, 'portal'],
        [undefined, undefined],
      ])
        expect(await verifierOn(signingKeys).verify(await signedBy(kid, { typ }, { aud }))).toBeUndefined()
    }
  })
})

describe('an invalid session token', () => {
  const claims = {
    iss: 'portal',
    aud: 'portal',
    sid: sessionOf('admin').sessionId,
    sub: sessionOf('admin').userId,
    role: 'admin',
  }

  it('is rejected without an exception', async () => {
    const verifier = verifierOn(signingKeys)
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
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
  it('can be unsigned, or have another algorithm, key or claims', async () => {
    const { kid, key } = signingKeys.signingKey()
    const foreign = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(foreign.publicKey)
    const secret = new TextEncoder().encode(JSON.stringify(signingKeys.jwks().keys[0]))
    const signed = (extra: object, header: object = {}) =>
      new SignJWT({ ...claims, ...extra })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', ...header })
        .setIssuedAt(clock)
        .setExpirationTime(new Date(clock.getTime() + hourMs))
    const tokens = {
      good: await signed({}).sign(key),
      unsigned: new UnsecuredJWT(claims).setIssuedAt(clock).encode(),
      symmetric: await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' })
        .setIssuedAt(clock)
        .sign(secret),
      foreignKey: await signed({}).sign(foreign.privateKey),
      ownJwk: await signed({}, { jwk }).sign(foreign.privateKey),
      unknownKid: await signed({}, { kid: 'other' }).sign(key),
      noKid: await signed({}, { kid: undefined }).sign(key),
      otherIssuer: await signed({ iss: 'elsewhere' }).sign(key),
      otherRole: await signed({ role: 'owner' }).sign(key),
      noSession: await signed({ sid: undefined }).sign(key),
      noExpiry: await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
        .setIssuedAt(clock)
        .sign(key),
    }
    const verifier = verifierOn(signingKeys)
    const { good, ...bad } = tokens
    expect(await verifier.verify(good)).toMatchObject({ role: 'admin' })
    for (const [name, token] of Object.entries(bad))
      expect([name, await verifier.verify(token)]).toEqual([name, undefined])
  })
})

describe('the signing keys', () => {
  it('are private to their owner, and the same after a restart', async () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    expect(await verifierOn(open()).verify(token)).toBeDefined()
  })
  it('use a new key after a rotation, and still verify with the previous one', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const { kid } = signingKeys.signingKey()
    signingKeys.rotate('keep-previous')
    expect(signingKeys.signingKey().kid).not.toBe(kid)
    expect(await verifierOn(signingKeys).verify(token)).toBeDefined()
    for (let i = 0; i < 5; i++) signingKeys.rotate('keep-previous')
    expect(signingKeys.jwks().keys).toHaveLength(3)
    expect(await verifierOn(signingKeys).verify(token)).toBeUndefined()
  })
  it('reflect the rotation of another process within a second, even for cached tokens', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    const verifier = verifierOn(signingKeys)
    expect(await verifier.verify(token)).toBeDefined()
    open().rotate('forget-previous')
    pass(1_000)
    expect(await verifier.verify(token)).toBeUndefined()
    expect(await verifier.verify(await signSessionToken(signingKeys, sessionOf('student'), clock))).toBeDefined()
  })
  it('are said to have changed by a process that notices it, and whether the former ones still count', () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
    const running = openSigningKeys({ file: file(), now: () => clock, logger })
    for (const previous of ['keep-previous', 'forget-previous'] as const) {
      open().rotate(previous)
      pass(1_000)
      running.signingKey()
      pass(1_000)
      running.signingKey()
    }
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { level: 30, msg: 'session keys loaded' },
      { level: 30, msg: 'session keys changed, former keys still count' },
      { level: 30, msg: 'session keys changed, former keys no longer count: all users have to log in again' },
    ])
  })
  it('are logged at a start with their age, which shows a rotation meanwhile', () => {
    const loaded = (): unknown => {
      const lines: string[] = []
      const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
      openSigningKeys({ file: file(), now: () => clock, logger })
      return lines.map((line): unknown => JSON.parse(line))
    }
    const line = (newest: Date, former: number) => [
      expect.objectContaining({ msg: 'session keys loaded', newest: newest.toISOString(), former }),
    ]
    expect(loaded()).toEqual(line(start, 0))
    pass(60_000)
    open().rotate('keep-previous')
    expect(loaded()).toEqual(line(clock, 1))
    open().rotate('forget-previous')
    expect(loaded()).toEqual(line(clock, 0))
  })
  it('stay valid if the file is lost while running; after a restart all users have to log in again', async () => {
    const token = await signSessionToken(signingKeys, sessionOf('student'), clock)
    rmSync(file())
    pass(1_000)
    expect(await verifierOn(signingKeys).verify(token)).toBeDefined()
    expect(await verifierOn(open()).verify(token)).toBeUndefined()
  })
  it('fail the start with one line if the file is damaged', () => {
    writeFileSync(file(), '{"keys":[]}')
    expect(open).toThrow(/session-keys\.json does not hold session keys: restore it, or remove it/)
  })
})
