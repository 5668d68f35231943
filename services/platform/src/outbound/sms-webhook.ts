import { z } from 'zod'
import { type SmsSender, UnconfirmedError } from './port.ts'

type SmsWebhookOptions = {
  /** Receives a POST with `{to, text}` per message. A user and password in the URL are sent as Basic authorization. */
  readonly url: string
  readonly timeoutMs?: number
}

/** The gateway did not accept the message. */
class SmsError extends Error {
  override readonly name = 'SmsError'
}

const causeSchema = z.object({ cause: z.object({ code: z.string() }) })

/** A time-out, or a connection that ended after the request. */
const mayHaveBeenTaken = (error: unknown): boolean => {
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  const parsed = causeSchema.safeParse(error)
  return parsed.success && (parsed.data.cause.code === 'UND_ERR_SOCKET' || parsed.data.cause.code === 'ECONNRESET')
}

export const smsWebhook = ({ url, timeoutMs = 10_000 }: SmsWebhookOptions): SmsSender => {
  const { address, headers } = targetOf(url)
  const inFlight = new Set<Promise<void>>()

  const post = async (to: string, text: string): Promise<void> => {
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ to, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw mayHaveBeenTaken(error) ? new UnconfirmedError(error) : error
    })
    // An unread body blocks its connection.
    await response.body?.cancel()
    if (!response.ok) throw new SmsError(`The SMS gateway answered ${response.status}`)
  }
  return {
    send: async ({ to, text }) => {
      const sending = post(to, text).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
      await sending
    },
    close: async () => {
      await Promise.allSettled(inFlight)
    },
  }
}

const targetOf = (url: string) => {
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return {
    address,
    headers: {
      'content-type': 'application/json',
      ...(username !== '' && { authorization: `Basic ${credentials}` }),
    },
  }
}
