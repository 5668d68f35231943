import { createTransport } from 'nodemailer'
import { isLoopback } from '../settings/is-loopback.ts'
import type { MailSender } from './port.ts'

type SmtpMailOptions = {
  /**
   * `smtp://user:password@host:587` or `smtps://…`. TLS is required, by STARTTLS with `smtp:`, unless the server is on this machine or
   * `?tls=optional` says otherwise.
   */
  readonly url: string
  readonly from: string
  /** For one mail, from the call to the server's acceptance. */
  readonly timeoutMs?: number
}

/** Hands mails to an SMTP server over a few kept connections. A mail that is late is withdrawn, so it does not arrive after all. */
export const smtpMail = ({ url, from, timeoutMs = 10_000 }: SmtpMailOptions): MailSender => {
  const transport = createTransport({
    ...connectionOf(url),
    pool: true,
    maxConnections: 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // What a mail says comes from people; it must never be taken for a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, link }) => {
      const body = link === undefined || text.includes(link) ? text : `${text}\n\n${link}\n`
      const signal = AbortSignal.timeout(timeoutMs)
      // As an object, the address is taken as it is: commas in it do not make more recipients.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text: body, signal })
    },
    close: async () => transport.close(),
  }
}

const connectionOf = (address: string) => {
  const url = new URL(address)
  const secure = url.protocol === 'smtps:'
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // Else who sits between could strip the server's offer of STARTTLS and read credentials, codes and links.
    requireTLS: !secure && !isLoopback(url.hostname) && url.searchParams.get('tls') !== 'optional',
    ...(auth.user !== '' && { auth }),
  }
}
