import { createECDH } from 'node:crypto'
import { decryptPush } from '@portal/platform/testing/outbound/web-push/push-service'
import { expect, it } from 'vitest'
import { encryptPush, maxPayloadBytes } from './encrypt-push.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
const browser = () => {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  return { curve, auth: Buffer.alloc(16, 7), p256dh: curve.getPublicKey() }
}

it('the example of RFC 8291 is encrypted to the same bytes', () => {
  const subscription = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const secrets = { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), curve }
  const body = encryptPush(subscription, Buffer.from('When I grow up, I want to be a watermelon'), secrets)
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

it('the largest payload fits into 4,096 bytes, each time with other keys', () => {
  const { curve, auth, p256dh } = browser()
  const payload = Buffer.alloc(maxPayloadBytes, 'ü')
  const [first, second] = [encryptPush({ p256dh, auth }, payload), encryptPush({ p256dh, auth }, payload)]
  expect([maxPayloadBytes, first.length, second.length]).toEqual([3_993, 4_096, 4_096])
  for (const body of [first, second]) expect(decryptPush({ curve, auth }, body)).toEqual(payload)
  expect(first.subarray(0, 86)).not.toEqual(second.subarray(0, 86))
})
