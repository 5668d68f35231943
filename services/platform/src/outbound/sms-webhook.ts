import type { SmsSender } from './port.ts'

type SmsWebhookOptions = {
  /** Gets a POST with `{to, text}` for every message. A user and password in it go as Basic authorization. */
  readonly url: string
  readonly timeoutMs?: number
}

/** The gateway did not take the message over. */
class SmsError extends Error {
  override readonly name = 'SmsError'
}

export const smsWebhook = ({ url, timeoutMs = 10_000 }: SmsWebhookOptions): SmsSender => {
  const { address, headers } = targetOf(url)
  const underWay = new Set<Promise<void>>()

  const post = async (to: string, text: string): Promise<void> => {
    const answer = await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify({ to, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // Unread bodies keep their connection busy.
    await answer.body?.cancel()
    if (!answer.ok) throw new SmsError(`The SMS gateway answered ${answer.status}`)
  }
  return {
    send: async ({ to, text }) => {
      const sending = post(to, text).finally(() => underWay.delete(sending))
      underWay.add(sending)
      await sending
    },
    close: async () => {
      await Promise.allSettled(underWay)
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
