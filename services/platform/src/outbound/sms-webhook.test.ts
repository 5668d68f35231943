import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { UnconfirmedError } from './port.ts'
import { smsWebhook } from './sms-webhook.ts'

let server: Server
let received: { readonly headers: IncomingMessage['headers']; readonly body: string }[]
let status: number | 'none'

beforeEach(async () => {
  received = []
  status = 202
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    if (status === 'none') return
    response.writeHead(status, { location: '/elsewhere' }).end('thanks')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const sender = (timeoutMs?: number) => {
  // The server listens on a port, so the address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const url = `http://portal:s%20cret@127.0.0.1:${port}/sms?from=portal`
  return smsWebhook({ url, ...(timeoutMs !== undefined && { timeoutMs }) })
}
const sms = { userIds: ['u1'], to: '9876543210', text: 'Your code is 123456', code: '123456' }

describe('the SMS webhook', () => {
  it('posts the number and the text, with the credentials of its URL', async () => {
    const sending = sender()
    await sending.send(sms)
    await sending.close()
    expect(received.map(({ body }): unknown => JSON.parse(body))).toEqual([{ to: sms.to, text: sms.text }])
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('portal:s cret').toString('base64')}`,
    })
  })
  it('rejects every response except a success, and never follows a redirect', async () => {
    for (const answer of [302, 400, 404, 500]) {
      status = answer
      await expect(sender().send(sms)).rejects.toThrow(answer === 302 ? 'fetch failed' : `answered ${answer}`)
    }
    expect(received).toHaveLength(4)
  })
  it('rejects after the timeout, without the number in the error', async () => {
    status = 'none'
    const failure = await sender(50)
      .send(sms)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnconfirmedError)
    expect(String(failure)).not.toContain(sms.to)
  })
  it('[F6] says that the outcome is unknown only if the gateway may have taken the message', async () => {
    status = 'none'
    const sending = sender().send(sms)
    await until(() => expect(received).toHaveLength(1))
    server.closeAllConnections()
    await expect(sending).rejects.toThrow(UnconfirmedError)
    const { send } = sender()
    server.close()
    const refused = await send(sms).catch((error: unknown) => error)
    expect(String(refused)).toContain('fetch failed')
    expect(refused).not.toBeInstanceOf(UnconfirmedError)
  })
})
