import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer } from 'node:https'
import { json } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { z } from 'zod'
import type { ServiceAccount } from '../../../src/outbound/fcm/service-account.ts'
import { testCertificate, testCertificateKey } from './certificate.ts'

/** Redirects connections to the stand-in, because firebase-admin only uses the provider's address. */
class DetourAgent extends Agent {
  readonly #port: number

  constructor(port: number) {
    super({ keepAlive: true })
    this.#port = port
  }

  override createConnection(options: { readonly servername?: string; readonly host?: string | null }): TLSSocket {
    const servername = options.servername ?? options.host ?? ''
    return connect({ host: '127.0.0.1', port: this.#port, servername, ca: testCertificate })
  }
}

const sendSchema = z.object({
  message: z.looseObject({
    token: z.string(),
    data: z.record(z.string(), z.string()),
    webpush: z.object({ headers: z.record(z.string(), z.string()) }),
  }),
})
type SentMessage = z.infer<typeof sendSchema>['message']

/** The provider's response; 'silence' keeps the connection open without a response. */
type StandInAnswer =
  { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> } | 'silence'

const fcmError = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'

const accepted: StandInAnswer = { status: 200, body: { name: 'projects/portal/messages/1' } }

/** An error in the provider's format; `errorCode` is the typed detail. */
export const refusal = (
  code: number,
  status: string,
  errorCode?: string,
  headers: Readonly<Record<string, string>> = {},
): StandInAnswer => ({
  status: code,
  headers,
  body: {
    error: {
      code,
      status,
      message: 'As the provider says',
      ...(errorCode !== undefined && { details: [{ '@type': fcmError, errorCode }] }),
    },
  },
})

/** A minimal FCM server with TLS: one message per request. */
export const startFcmStandIn = async () => {
  const sent: SentMessage[] = []
  const standIn = {
    sent,
    /** The response for a token. */
    answer: (_token: string): StandInAnswer => accepted,
  }

  const answerSend = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { message } = sendSchema.parse(await json(request))
    sent.push(message)
    const answer = standIn.answer(message.token)
    if (answer === 'silence') return
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  }
  const server = createServer({ cert: testCertificate, key: testCertificateKey }, async (request, response) => {
    const isSend = request.url === '/v1/projects/portal/messages:send'
    if (isSend && request.headers.authorization === 'Bearer an-access-token') await answerSend(request, response)
    else response.writeHead(isSend ? 401 : 404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stand-in listens without a port')

  const serviceAccount: ServiceAccount = { projectId: 'portal', clientEmail: 'push@portal', privateKey: 'none' }
  return Object.assign(standIn, {
    serviceAccount,
    /** Replaces the request for an access token, which goes to another host. */
    credential: { getAccessToken: async () => ({ access_token: 'an-access-token', expires_in: 3_600 }) },
    agent: new DetourAgent(address.port),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
export type FcmStandIn = Awaited<ReturnType<typeof startFcmStandIn>>
