import { Agent, request } from 'node:http'

export type RawResponse = {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export type RawRequest = {
  readonly method: string
  /** Path as sent over the wire, without normalization. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

const timeoutMs = 30_000
const maxResponseBytes = 4 * 1024 * 1024
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends one HTTP request without the corrections of `fetch`: any method, path and header that Node can send. */
export const sendRaw = (address: string, { method, path, headers = {}, body }: RawRequest): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        timeout: timeoutMs,
      },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= maxResponseBytes) chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            contentType: answer.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/** A unique client address behind a proxy for each number below 16 million; 256 of them share a /24. */
export const callerAddress = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
