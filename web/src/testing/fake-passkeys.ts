import { vi } from 'vitest'

/** 'elsewhere': the page is at another address than the passkeys. 'open': the browser waits for the user. */
type Outcome = 'done' | 'canceled' | 'exists' | 'elsewhere' | 'open'

const bufferOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer
const credentialWith = (response: object) => ({
  id: 'AAAA',
  rawId: bufferOf('id'),
  type: 'public-key',
  response,
  getClientExtensionResults: () => ({}),
})

type Asked = {
  readonly publicKey?: { readonly rpId?: string; readonly rp?: { readonly id?: string } }
  readonly signal: AbortSignal
}

const untilAborted = ({ signal }: Asked) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })

/** Passkeys of the browser, which the test's DOM has none of. `vi.unstubAllGlobals` takes them away. */
export const fakePasskeys = () => {
  const asked: Asked[] = []
  let outcome: Outcome = 'done'
  const answer = (response: object) => async (options: Asked) => {
    asked.push(options)
    if (outcome === 'canceled') throw new DOMException('The operation is not allowed', 'NotAllowedError')
    if (outcome === 'exists') throw new DOMException('It exists', 'InvalidStateError')
    if (outcome === 'elsewhere') throw new DOMException('Another relying party', 'SecurityError')
    if (outcome === 'open') await untilAborted(options)
    return credentialWith(response)
  }
  const clientDataJSON = bufferOf('client')
  const credentials = {
    create: answer({ clientDataJSON, attestationObject: bufferOf('made'), getTransports: () => ['internal'] }),
    get: answer({ clientDataJSON, authenticatorData: bufferOf('data'), signature: bufferOf('signed') }),
  }
  // A constructor, of which the library asks only whether it exists.
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  return {
    asked,
    /** What the next requests come to. */
    becomes: (next: Outcome) => {
      outcome = next
    },
  }
}

const challenge = 'Y2hhbGxlbmdl'
export const passkeyRequest = {
  challenge,
  rpId: 'portal.example',
  timeout: 300_000,
  allowCredentials: [{ id: 'AAAA', type: 'public-key', transports: ['internal'] }],
  userVerification: 'preferred',
}
export const passkeyCreation = {
  challenge,
  rp: { id: 'portal.example', name: 'Minor Programs' },
  user: { id: 'AAAA', name: 'ananya@example.com', displayName: 'Ananya' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'preferred' },
}
