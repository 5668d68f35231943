import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'
import { z } from 'zod'
import { pushServiceCertificate, pushServiceCertificateKey } from './certificate.ts'

/** What a browser keeps of its subscription. */
type Browser = { readonly curve: ECDH; readonly auth: Buffer; readonly key: string }

const payloadSchema = z.object({ data: z.record(z.string(), z.string()) })

type Received = {
  /** The token of the subscription. */
  readonly token: string
  readonly data: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bodyBytes: number
  readonly subject: string | undefined
}

/** A response of the service; 'silence' keeps the connection open without one. */
type ServiceAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'silence'

/** Decrypts as browsers do: RFC 8188 with one record, and the keys of RFC 8291. */
export const decryptPush = ({ curve, auth }: Pick<Browser, 'curve' | 'auth'>, body: Buffer): Buffer => {
  const [salt, keyBytes] = [body.subarray(0, 16), body.readUInt8(20)]
  const serverKey = body.subarray(21, 21 + keyBytes)
  const sealed = body.subarray(21 + keyBytes)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), serverKey])
  const inputKey = Buffer.from(hkdfSync('sha256', curve.computeSecret(serverKey), auth, info, 32))
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', inputKey, salt, `Content-Encoding: ${purpose}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Error('the record is not the last one')
  return padded.subarray(0, end)
}

/** Verifies the header of RFC 8292. Throws unless it is signed with the key that the subscription was made with. */
const verifyVapid = async (header: string | undefined, key: string, audience: string): Promise<string | undefined> => {
  const [, token = '', sentKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? []
  if (sentKey !== key) throw new Error('the subscription was made with another key')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
  const { payload } = await jwtVerify(token, publicKey, { audience, requiredClaims: ['exp'] })
  return payload.sub
}

/** A push service on https, with real subscriptions. It decrypts what it gets. */
export const startPushService = async () => {
  const browsers = new Map<string, Browser>()
  const received: Received[] = []
  const service = {
    received,
    requests: 0,
    /** The response to a valid push. */
    answer: (_token: string): ServiceAnswer => ({ status: 201 }),
  }

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    service.requests += 1
    const { headers, url = '' } = request
    const body = await buffer(request)
    const token = [...browsers.keys()].find((one) => pathIn(one) === url)
    const browser = token === undefined ? undefined : browsers.get(token)
    if (token === undefined || browser === undefined) return void response.writeHead(404).end()
    const subject = await verifyVapid(headers.authorization, browser.key, `https://${headers.host}`).catch(
      () => 'refused' as const,
    )
    if (subject === 'refused') return void response.writeHead(403).end()
    const { data } = payloadSchema.parse(JSON.parse(decryptPush(browser, body).toString()))
    const named = (name: string) => [name, headers[name]?.toString()] as const
    const sent = Object.fromEntries(['ttl', 'urgency', 'topic', 'content-encoding'].map(named))
    received.push({ token, data, headers: sent, bodyBytes: body.length, subject })
    const answer = service.answer(token)
    if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end()
  }
  const server = createServer({ cert: pushServiceCertificate, key: pushServiceCertificateKey }, (request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a port is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const origin = `https://push.test:${port}`

  return Object.assign(service, {
    port,
    origin,
    /** Subscribes a new browser with the public key of a portal. Returns its token. */
    subscribe: (key: string, at = origin): string => {
      const curve = createECDH('prime256v1')
      const [p256dh, auth] = [curve.generateKeys(), randomBytes(16)]
      const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
      const json = { endpoint: `${at}/push/${randomBytes(9).toString('base64url')}`, expirationTime: null, keys }
      const token = `webpush:${Buffer.from(JSON.stringify(json)).toString('base64url')}`
      browsers.set(token, { curve, auth, key })
      return token
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
export type PushService = Awaited<ReturnType<typeof startPushService>>

const pathIn = (token: string): string => {
  const json: unknown = JSON.parse(Buffer.from(token.slice('webpush:'.length), 'base64url').toString())
  return new URL(z.object({ endpoint: z.string() }).parse(json).endpoint).pathname
}
