import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type MailSender, UnconfirmedError } from './port.ts'
import { refusesMessageOnly, smtpMail } from './smtp-mail.ts'
import { testCertificate, testCertificateKey } from '../../testing/outbound/fcm/certificate.ts'

/** A minimal SMTP server that records the received lines. */
let server: Server
let sockets: Set<Socket>
let received: string[]
let mood: 'friendly' | 'self-signed' | 'refusing-sender' | 'refusing' | 'silent' | 'silent-after-data' | 'hanging-up'
let sender: MailSender

const answerTo = (line: string): string => {
  if (/^EHLO/i.test(line)) return `250-portal.test${mood === 'self-signed' ? '\r\n250-STARTTLS' : ''}\r\n250 AUTH PLAIN`
  if (/^STARTTLS/i.test(line)) return mood === 'self-signed' ? '220 go on' : '502 not implemented'
  if (/^AUTH/i.test(line)) return '235 ok'
  if (/^MAIL/i.test(line) && mood === 'refusing-sender') return '550 not your address'
  if (/^RCPT/i.test(line) && mood === 'refusing') return '550 no such mailbox'
  if (/^DATA/i.test(line)) return '354 go on'
  return '250 ok'
}
const serve = (socket: Socket) => {
  sockets.add(socket)
  if (mood === 'silent') return
  socket.write('220 portal.test\r\n')
  converse(socket)
}
const converse = (socket: Socket) => {
  let isInData = false
  createInterface({ input: socket }).on('line', (line) => {
    received.push(line)
    if (isInData && line !== '.') return
    if (isInData && mood === 'silent-after-data') return
    if (isInData && mood === 'hanging-up') return void socket.destroy()
    isInData = /^DATA/i.test(line)
    socket.write(`${answerTo(line)}\r\n`)
    if (!/^STARTTLS/i.test(line) || mood !== 'self-signed') return
    socket.removeAllListeners('data')
    const secured = new TLSSocket(socket, { isServer: true, cert: testCertificate, key: testCertificateKey })
    // The client ends the handshake if it does not trust the certificate.
    secured.on('error', () => undefined)
    converse(secured)
  })
}
const senderOf = (timeoutMs: number, host = '127.0.0.1', search = ''): MailSender => {
  // The server listens on a port, so the address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return smtpMail({
    url: `smtp://user%40x:p%3Aw@${host}:${port}${search}`,
    from: 'Portal <no-reply@portal.test>',
    timeoutMs,
  })
}
const mail = { userIds: ['u1'], to: 'ann@example.com', subject: 'Your code', text: 'It is 123456', code: '123456' }

beforeEach(async () => {
  sockets = new Set()
  received = []
  mood = 'friendly'
  server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  sender = senderOf(5_000)
})
afterEach(async () => {
  await sender.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

describe('SMTP', () => {
  it('sends an e-mail, and appends its link if the text lacks it', async () => {
    await sender.send({ ...mail, link: 'https://portal.example/reset-password' })
    expect(received).toContain('MAIL FROM:<no-reply@portal.test>')
    expect(received).toContain('RCPT TO:<ann@example.com>')
    expect(received).toContain('Subject: Your code')
    expect(received).toContain('It is 123456')
    expect(received).toContain('https://portal.example/reset-password')
    const credentials = Buffer.from('\0user@x\0p:w').toString('base64')
    expect(received).toContain(`AUTH PLAIN ${credentials}`)
  })
  it('announces how to unsubscribe by one click, as RFC 8058 asks, and repeats an e-mail under the same id', async () => {
    const unsubscribeUrl = `https://portal.example/notifications/unsubscribe?token=${'t'.repeat(80)}`
    for (const text of ['first', 'again']) await sender.send({ ...mail, text, id: 'unseen-1', unsubscribeUrl })
    const lines = received
      .join('\n')
      .replaceAll(/\n[ \t]+/g, ' ')
      .split('\n')
    for (const header of [
      `List-Unsubscribe: <${unsubscribeUrl}>`,
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'Message-ID: <unseen-1@portal.test>',
    ])
      expect(lines.filter((line) => line === header)).toHaveLength(2)
    received = []
    await sender.send(mail)
    expect(received.filter((line) => line.startsWith('List-'))).toEqual([])
  })
  it('reuses its connection', async () => {
    await sender.send(mail)
    await sender.send(mail)
    expect(sockets.size).toBe(1)
  })
  it('cannot be tricked into a second recipient or header', async () => {
    const sending = sender.send({
      ...mail,
      to: 'ann@example.com,eve@example.com',
      subject: 'A\r\nBcc: eve@example.com',
    })
    await Promise.allSettled([sending])
    expect(received.filter((line) => line.startsWith('RCPT TO:<eve'))).toEqual([])
    expect(received.filter((line) => line.startsWith('Bcc:'))).toEqual([])
  })
  it('rejects if the server does', async () => {
    mood = 'refusing'
    const failure = await sender.send(mail).catch((error: unknown) => error)
    expect(String(failure)).toContain('550')
    expect(failure).not.toBeInstanceOf(UnconfirmedError)
  })
  it.each(['silent-after-data', 'hanging-up'] as const)(
    '[F6] does not say that an e-mail was not sent if the server has taken it and is %s',
    async (after) => {
      mood = after
      const hasty = senderOf(200)
      onTestFinished(() => hasty.close())
      await expect(hasty.send(mail)).rejects.toThrow(UnconfirmedError)
      expect(received).toContain('It is 123456')
    },
  )
  it('tells a refused recipient from a refused sender, which the settings name', async () => {
    mood = 'refusing'
    expect(refusesMessageOnly(await sender.send(mail).catch((error: unknown) => error))).toBe(true)
    mood = 'refusing-sender'
    expect(refusesMessageOnly(await sender.send(mail).catch((error: unknown) => error))).toBe(false)
  })
  it('rejects after the timeout if the server does not respond', async () => {
    await sender.close()
    mood = 'silent'
    sender = senderOf(50)
    await expect(sender.send(mail)).rejects.toThrow(/timeout|never received|aborted/i)
  })
  it('rejects if the connection is refused', async () => {
    server.close()
    await once(server, 'close')
    const failure = await sender.send(mail).catch((error: unknown) => error)
    expect(String(failure)).toContain('ECONNREFUSED')
    expect(failure).not.toBeInstanceOf(UnconfirmedError)
  })
  it('sends neither credentials nor e-mails in clear text to another machine, unless configured', async () => {
    // An address of this machine that is not a loopback address.
    const strict = senderOf(5_000, '0.0.0.0')
    await expect(strict.send(mail)).rejects.toThrow(/STARTTLS|TLS|502/)
    expect(received.filter((line) => /^AUTH|^MAIL/.test(line))).toEqual([])
    await strict.close()
    const lenient = senderOf(5_000, '0.0.0.0', '?tls=optional')
    await lenient.send(mail)
    expect(received).toContain('It is 123456')
    await lenient.close()
  })
  it('[C5] accepts an untrusted certificate only where clear text is allowed, too', async () => {
    mood = 'self-signed'
    const strict = senderOf(5_000, '0.0.0.0')
    onTestFinished(() => strict.close())
    await expect(strict.send(mail)).rejects.toThrow(/certificate/)
    expect(received.filter((line) => /^AUTH|^MAIL/.test(line))).toEqual([])
    const lenient = senderOf(5_000, '0.0.0.0', '?tls=optional')
    onTestFinished(() => lenient.close())
    for (const each of [sender, lenient]) await each.send(mail)
    expect(received.filter((line) => line === 'It is 123456')).toHaveLength(2)
  })
})
