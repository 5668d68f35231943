import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { isLoopback } from '../settings/is-loopback.ts'
import { type MailSender, UnconfirmedError } from './port.ts'

type SmtpMailOptions = {
  /**
   * `smtp://user:password@host:587` or `smtps://…`. TLS with a trusted certificate is required, with `smtp:` by STARTTLS, except for a
   * server on this machine or with `?tls=optional`.
   */
  readonly url: string
  readonly from: string
  /** Timeout of one e-mail, from the call to the server's acceptance. */
  readonly timeoutMs?: number
}

const errorSchema = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
  timeoutType: z.string().optional(),
  syscall: z.string().optional(),
})

/** nodemailer does not say whether it had handed over the e-mail: an end without a reply of a connected server leaves that open. */
const mayHaveBeenTaken = (error: unknown): boolean => {
  const parsed = errorSchema.safeParse(error)
  if (!parsed.success || parsed.data.responseCode !== undefined) return false
  const { code, timeoutType, syscall } = parsed.data
  // A reset connection, as opposed to one that was never made or whose certificate is not trusted.
  if (code === 'ESOCKET') return syscall === 'read' || syscall === 'write'
  return code === 'EABORT' || code === 'ECONNECTION' || timeoutType === 'SOCKET_TIMEOUT'
}

/** Whether the server works and refused the e-mail for its recipient or content, rather than for the portal's settings. */
export const refusesMessageOnly = (error: unknown): boolean => {
  const { code, command } = errorSchema.safeParse(error).data ?? {}
  return code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM')
}

/** Codes of RFC 3463 for a recipient's address that is wrong, or a mailbox that takes nothing. */
const mailboxCode = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.\d+)\b/

/** Whether the server refused this recipient as a person's mistake. Many servers give no such code. */
export const refusesMailbox = (error: unknown): boolean =>
  refusesMessageOnly(error) && mailboxCode.test(errorSchema.safeParse(error).data?.response ?? '')

export type SmtpMail = MailSender & {
  /** Connects and logs in, and sends nothing. Rejects if the server cannot be used. */
  verify(): Promise<void>
}

/** Sends e-mails over a few pooled SMTP connections. Rejects with UnconfirmedError if the server may have taken the e-mail. */
export const smtpMail = ({ url, from, timeoutMs = 10_000 }: SmtpMailOptions): SmtpMail => {
  const transport = createTransport({
    ...connectionOf(url),
    pool: true,
    maxConnections: 4,
    // They end before the deadline of the whole e-mail: a server that never greeted cannot have taken it.
    connectionTimeout: timeoutMs * 0.8,
    greetingTimeout: timeoutMs * 0.8,
    socketTimeout: timeoutMs,
    // E-mails contain user input, which must never be read as a file path or a URL to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, link, id, unsubscribeUrl }) => {
      const body = link === undefined || text.includes(link) ? text : `${text}\n\n${link}\n`
      const signal = AbortSignal.timeout(timeoutMs)
      // As an object, the address is not parsed: a comma does not add recipients.
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text: body,
          ...(id !== undefined && { messageId: `<${id}@${domainOf(from)}>` }),
          ...(unsubscribeUrl !== undefined && { headers: unsubscribeHeaders(unsubscribeUrl) }),
          signal,
        })
      } catch (error) {
        throw mayHaveBeenTaken(error) ? new UnconfirmedError(error) : error
      }
    },
    verify: async () => void (await transport.verify()),
    close: async () => transport.close(),
  }
}

/** MAIL_FROM is one address, alone or behind a name. */
const domainOf = (from: string): string => from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')

/** Both are needed for one click. A mail server that signs e-mails has to sign both. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${new URL(url).href}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const connectionOf = (address: string) => {
  const url = new URL(address)
  const secure = url.protocol === 'smtps:'
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  const mayBeClearText = isLoopback(url.hostname) || url.searchParams.get('tls') === 'optional'
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // Otherwise a man in the middle could strip STARTTLS and read credentials, codes and links.
    requireTLS: !secure && !mayBeClearText,
    // Where `smtp:` may be clear text, an untrusted certificate is no worse. Debian's mail server comes with one.
    tls: { rejectUnauthorized: secure ? !isLoopback(url.hostname) : !mayBeClearText },
    ...(auth.user !== '' && { auth }),
  }
}
