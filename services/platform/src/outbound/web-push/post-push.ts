import type { LookupAddress } from 'node:dns'
import { type Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'

type PushRequest = {
  readonly endpoint: URL
  /** The connection goes to one of these, whatever the name resolves to meanwhile. */
  readonly addresses: readonly LookupAddress[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly agent: Agent
  readonly signal: AbortSignal
}

type PushAnswer = { readonly status: number; readonly retryAfter: string | undefined }

const lookupIn =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all === true || first === undefined) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }

const maxAnswerBytes = 16_384

/** Reads the rest of a short answer, so that its connection can be used again. */
const drain = (response: IncomingMessage): void => {
  let bytes = 0
  response.on('data', ({ length }: Buffer) => {
    bytes += length
    if (bytes > maxAnswerBytes) response.destroy()
  })
  // The answer is known already.
  response.on('error', () => undefined)
}

/** Posts the body. Follows no redirect: the next address has not been checked. Rejects without an answer. */
export const postPush = ({ endpoint, addresses, headers, body, agent, signal }: PushRequest): Promise<PushAnswer> =>
  new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, signal, lookup: lookupIn(addresses), headers }
    const sending = request(endpoint, options, (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] })
      drain(response)
    })
    sending.on('error', reject)
    sending.end(body)
  })
