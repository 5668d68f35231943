import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { deriveKeys } from '../../personal-data/master-key.ts'
import { pushKeysFrom, vapidAuthorization } from './push-keys.ts'

const keysOf = (byte: number) => pushKeysFrom(deriveKeys(Buffer.alloc(32, byte)).push)

it('the keys follow from the master key for ever: browsers have subscribed with them', () => {
  expect(keysOf(1).publicKey).toBe(
    'BDDtSFnNUaTH4NryIyphWxcc5KyznqlU2Rd7k1j2gAqQwMDVzUdDviRDmhEZsTd9xxiH3qlc7UKTIFLylq-1GJA',
  )
  expect(keysOf(2).publicKey).not.toBe(keysOf(1).publicKey)
  for (let byte = 0; byte < 100; byte++) expect(Buffer.from(keysOf(byte).publicKey, 'base64url')).toHaveLength(65)
})

it('a push is signed for one service and half a day', async () => {
  const keys = keysOf(1)
  const now = new Date('2026-03-01T10:00:00.000Z')
  const header = await vapidAuthorization(keys, { origin: 'https://push.test', subject: 'https://portal.example', now })
  const [, token = '', key] = /^vapid t=(.+), k=(.+)$/.exec(header) ?? []
  expect(key).toBe(keys.publicKey)
  const { payload, protectedHeader } = await jwtVerify(token, createPublicKey(keys.privateKey), { currentDate: now })
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(payload).toEqual({
    aud: 'https://push.test',
    sub: 'https://portal.example',
    exp: Date.parse('2026-03-01T22:00:00.000Z') / 1_000,
  })
})
