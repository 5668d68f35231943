import { createECDH } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSubscription, readSubscription } from './subscription.ts'

const curve = createECDH('prime256v1')
const p256dh = curve.generateKeys('base64url')
const auth = Buffer.alloc(16, 1).toString('base64url')
const valid = { endpoint: 'https://push.test/a?b=c', expirationTime: null, keys: { p256dh, auth } }
const tokenOf = (value: unknown): string => `webpush:${Buffer.from(JSON.stringify(value)).toString('base64url')}`

describe('a subscription', () => {
  it('is read from its token', () => {
    expect(readSubscription(tokenOf(valid))).toEqual({
      endpoint: new URL('https://push.test/a?b=c'),
      p256dh: Buffer.from(p256dh, 'base64url'),
      auth: Buffer.alloc(16, 1),
    })
  })
  it('is another thing than a token of FCM', () => {
    expect(isSubscription('fcm-token:APA91b')).toBe(false)
    expect(readSubscription(tokenOf(valid).slice('webpush:'.length))).toBeUndefined()
  })
  it.each([
    ['no JSON', 'webpush:bm8ganNvbg'],
    ['nothing', 'webpush:'],
    ['another type', tokenOf('x')],
    ['clear text', tokenOf({ ...valid, endpoint: 'http://push.test/a' })],
    ['a password', tokenOf({ ...valid, endpoint: 'https://user:secret@push.test/a' })],
    ['a relative endpoint', tokenOf({ ...valid, endpoint: '/a' })],
    ['no keys', tokenOf({ endpoint: valid.endpoint })],
    ['a short secret', tokenOf({ ...valid, keys: { p256dh, auth: 'AAAA' } })],
    [
      'a key that is no point',
      tokenOf({ ...valid, keys: { auth, p256dh: Buffer.alloc(65, 4).toString('base64url') } }),
    ],
    ['a compressed key', tokenOf({ ...valid, keys: { auth, p256dh: curve.getPublicKey('base64url', 'compressed') } })],
  ])('with %s is refused', (_what, token) => {
    expect(readSubscription(token)).toBeUndefined()
  })
})
