import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHttpApp } from '../http/create-app.ts'
import { openRemoteKeys, type RemoteKeys } from './remote-keys.ts'
import { makeSessionVerifier, signSessionToken } from './session-tokens.ts'
import { openSigningKeys, serveSigningKeys, type SigningKeys, signingKeysPath } from './signing-keys.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const now = () => new Date()
const session = {
  sessionId: sessionIdSchema.parse('01980000-0000-7000-8000-000000000002'),
  userId: userIdSchema.parse('01980000-0000-7000-8000-000000000001'),
  role: 'student' as const,
  expiresAt: new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000),
}

const alwaysOpen = {
  denylist: { isEnded: async () => false, lineage: () => 'one' },
  record: { find: async () => ({ lastUse: 'not-idle' as const }) },
}

let folder: string
let ring: SigningKeys
let auth: FastifyInstance
let asked: number
let remote: RemoteKeys | undefined

const serveAuth = async (port = 0): Promise<string> => {
  auth = createHttpApp({ logger })
  auth.addHook('onRequest', async () => void (asked += 1))
  serveSigningKeys(auth, ring)
  return auth.listen({ host: '127.0.0.1', port })
}

beforeEach(() => {
  asked = 0
  folder = mkdtempSync(join(tmpdir(), 'remote-keys-'))
  ring = openSigningKeys({ file: join(folder, 'keys.json'), now, logger })
})
afterEach(async () => {
  await remote?.close()
  await auth.close()
  rmSync(folder, { recursive: true })
})

const verifierAt = (authUrl: string) => {
  remote = openRemoteKeys({ authUrl, logger })
  return makeSessionVerifier({ signingKeys: remote, now, ...alwaysOpen })
}

it('verify a token without the key file', async () => {
  const verifier = verifierAt(await serveAuth())
  expect(await verifier.verify(await signSessionToken(ring, session, now()))).toEqual(session)
})

it('are fetched at once for an unknown key', async () => {
  const verifier = verifierAt(await serveAuth())
  await verifier.verify(await signSessionToken(ring, session, now()))
  ring.rotate('keep-previous')
  const token = await signSessionToken(ring, session, now())
  await until(async () => expect(await verifier.verify(token)).toEqual(session))
})

it('are not fetched for every token with an invented key', async () => {
  const verifier = verifierAt(await serveAuth())
  await verifier.verify(await signSessionToken(ring, session, now()))
  const stranger = openSigningKeys({ file: join(folder, 'other.json'), now, logger })
  const before = asked
  const token = await signSessionToken(stranger, session, now())
  for (let i = 0; i < 200; i++) expect(await verifier.verify(token)).toBeUndefined()
  expect(asked - before).toBeLessThanOrEqual(2)
})

it('stay valid while auth is unavailable', async () => {
  const verifier = verifierAt(await serveAuth())
  const token = await signSessionToken(ring, session, now())
  await verifier.verify(token)
  await auth.close()
  await until(() => expect(remote?.lookUp('no such key')).rejects.toThrow('auth does not answer'))
  expect(await verifier.verify(token)).toEqual(session)
  await expect(remote?.check()).resolves.toBeUndefined()
})

it('are unavailable until auth responds', async () => {
  const address = await serveAuth()
  await auth.close()
  const verifier = verifierAt(address)
  const token = await signSessionToken(ring, session, now())
  await expect(verifier.verify(token), 'nobody is told to log in again').rejects.toThrow('auth does not answer')
  await expect(remote?.check()).rejects.toThrow('auth does not answer')
  await serveAuth(Number(new URL(address).port))
  await expect(remote?.check()).resolves.toBeUndefined()
  expect(await verifier.verify(token)).toEqual(session)
})

it('are unavailable while auth returns an error, which logs no user out', async () => {
  auth = createHttpApp({ logger })
  auth.get(signingKeysPath, async (_request, reply) => reply.code(500).send('no'))
  const verifier = verifierAt(await auth.listen({ host: '127.0.0.1', port: 0 }))
  const token = await signSessionToken(ring, session, now())
  await expect(verifier.verify(token)).rejects.toThrow('auth does not answer')
  // Also within the cooldown.
  await expect(verifier.verify(token)).rejects.toThrow('auth does not answer')
})

it('reject tokens of a withdrawn key', async () => {
  const verifier = verifierAt(await serveAuth())
  const token = await signSessionToken(ring, session, now())
  expect(await verifier.verify(token)).toEqual(session)
  ring.rotate('forget-previous')
  await until(async () => {
    // An unknown key triggers a new request.
    await remote?.lookUp('no such key')
    expect(await verifier.verify(token)).toBeUndefined()
  })
})
