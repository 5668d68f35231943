import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { SignedByPasskey } from '@portal/contracts/auth/factor-proof'
import type { CreatedPasskey, PasskeyCreationOptions, PasskeyRequestOptions } from '@portal/contracts/auth/passkeys'

type Statement = { readonly fmt: string; readonly certificate?: Uint8Array<ArrayBuffer> }

type AuthenticatorOptions = {
  /** Of the page that asks. */
  readonly origin: string
  /** Default: 0, as for passkeys that are synchronized. */
  readonly counter?: number
  /** Whether it checks who uses it, which a simple security key cannot. Default: true. */
  readonly verifiesUser?: boolean
  readonly statement?: Statement
}

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const bytes = (data: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(data)

/** COSE_Key of ES256. */
const coseKey = (publicKey: KeyObject): Uint8Array => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => bytes(Buffer.from(text, 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )
}

const attestationOf = (authData: Buffer, { fmt, certificate }: Statement): string => {
  const statement = new Map<string, Uint8Array<ArrayBuffer>[]>(certificate ? [['x5c', [certificate]]] : [])
  const object = new Map<string, string | typeof statement | Uint8Array<ArrayBuffer>>([
    ['fmt', fmt],
    ['attStmt', statement],
    ['authData', bytes(authData)],
  ])
  return Buffer.from(isoCBOR.encode(object)).toString('base64url')
}

/** An authenticator with one passkey, and the browser before it. */
export const createAuthenticator = (options: AuthenticatorOptions) => {
  const { verifiesUser = true, statement = { fmt: 'none' } } = options
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const device = { counter: options.counter ?? 0, origin: options.origin }

  const dataFor = (rpId: string, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter)
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (rest.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, rest])
  }
  const clientDataOf = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: device.origin, crossOrigin: false }))

  return {
    id,
    /** COSE, in base64url. */
    publicKey: Buffer.from(coseKey(publicKey)).toString('base64url'),
    /** The number of signatures, and the page. A test changes them. */
    device,

    create: ({ challenge, rp }: PasskeyCreationOptions): CreatedPasskey => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const attestationObject = attestationOf(dataFor(rp.id, credential), statement)
      const clientDataJSON = clientDataOf('webauthn.create', challenge).toString('base64url')
      return {
        id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] },
      }
    },

    sign: ({ challenge, rpId }: PasskeyRequestOptions): SignedByPasskey => {
      const authenticatorData = dataFor(rpId)
      const clientData = clientDataOf('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)
      return {
        id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>
