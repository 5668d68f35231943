import { pino } from 'pino'
import { expect, it } from 'vitest'
import { UnconfirmedError } from './port.ts'
import { watchMail } from './watch-mail.ts'

const minutes = (count: number) => count * 60_000
const message = { userIds: ['u1'], to: 'ann@example.com', subject: 'Your code', text: 'It is 123456' }
const withCode = (code: string, responseCode?: number, command?: string) =>
  Object.assign(new Error('ann@example.com: rejected'), { code, responseCode, command })
const relayRefused = withCode('EENVELOPE', 554)

/** A mail server that fails with `outcome`, if that is set. */
const startMail = () => {
  const lines: string[] = []
  const server = { outcome: undefined as Error | undefined, nowMs: 0, probes: 0 }
  const answer = async () => {
    if (server.outcome !== undefined) throw server.outcome
  }
  const mail = watchMail(
    {
      send: answer,
      verify: () => {
        server.probes++
        return answer()
      },
      close: async () => undefined,
    },
    { logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), nowMs: () => server.nowMs },
  )
  const { check } = mail.health
  return { server, lines, check, send: (to = message.to) => mail.send({ ...message, to }).catch(() => undefined) }
}

it('mail is down once the server has accepted nothing for five minutes, and up after the next e-mail', async () => {
  const { server, lines, check, send } = startMail()
  server.outcome = withCode('EAUTH', 535)
  await send()
  server.nowMs = minutes(4)
  await send()
  await check()
  server.nowMs = minutes(6)
  await expect(check()).rejects.toThrow('SMTP_URL: the mail server has accepted nothing for 6 minutes (EAUTH 535)')
  server.outcome = undefined
  await send()
  await check()
  expect(lines.map((line) => String(JSON.parse(line).msg))).toEqual([
    'the mail server of SMTP_URL does not accept e-mails',
    'the mail server of SMTP_URL accepts e-mails again',
  ])
  expect(lines.join('')).not.toContain('ann@example.com')
})

it('a server that fails is tried once a minute without an e-mail', async () => {
  const { server, check, send } = startMail()
  server.outcome = new UnconfirmedError(new Error('a test did it'))
  await send()
  for (const atMinute of [0.5, 1, 1.5, 2]) {
    server.nowMs = minutes(atMinute)
    await check()
  }
  expect(server.probes).toBe(2)
  server.nowMs = minutes(5)
  await expect(check()).rejects.toThrow('no answer in time')
  server.outcome = undefined
  server.nowMs = minutes(7)
  await expect(check()).rejects.toThrow('no answer in time')
  await check()
})

it.each([
  ['an answer that did not come', new UnconfirmedError(new Error('a test did it'))],
  ['a refused sender', withCode('EENVELOPE', 550, 'MAIL FROM')],
  ['a refused recipient', relayRefused],
])('mail is not down because of a single failure, such as %s, and silence', async (_what, failure) => {
  const { server, check, send } = startMail()
  server.outcome = failure
  await send()
  server.outcome = undefined
  for (const atMinute of [1, 4, 6, 60]) {
    server.nowMs = minutes(atMinute)
    await expect(check()).resolves.toBeUndefined()
  }
})

it('mail is down once every recipient has been refused for five minutes, until one is accepted', async () => {
  const { server, check, send } = startMail()
  server.outcome = relayRefused
  await send('ann@example.com')
  server.nowMs = minutes(3)
  await send('ben@example.com')
  server.nowMs = minutes(20)
  await check()
  await send('eve@example.com')
  // It takes connections and logins.
  server.outcome = undefined
  for (const atMinute of [21, 22]) {
    server.nowMs = minutes(atMinute)
    await expect(check()).rejects.toThrow(`has accepted nothing for ${atMinute} minutes (EENVELOPE 554)`)
  }
  await send('eve@example.com')
  await check()
})

it('mail is not down because one recipient is refused again and again', async () => {
  const { server, check, send } = startMail()
  for (const atMinute of [0, 2, 10, 60]) {
    server.nowMs = minutes(atMinute)
    server.outcome = withCode('EENVELOPE', 550)
    await send()
    server.outcome = undefined
    await expect(check()).resolves.toBeUndefined()
  }
})

it('mail is not down because of refusals that are hours apart, or for longer than half an hour after the last one', async () => {
  const { server, lines, check, send } = startMail()
  server.outcome = withCode('EENVELOPE', 550)
  for (const [atMinute, to] of [
    [0, 'ann@example.com'],
    [360, 'ben@example.com'],
  ] as const) {
    server.nowMs = minutes(atMinute)
    await send(to)
    await check()
  }
  expect(lines).toEqual([])
  server.nowMs = minutes(370)
  await send('eve@example.com')
  await expect(check()).rejects.toThrow('has accepted nothing for 10 minutes')
  server.nowMs = minutes(401)
  await check()
})

it('mail is not down because of addresses that do not exist', async () => {
  const { server, check, send } = startMail()
  const response = '550 5.1.1 <nobody@example.com>: Recipient address rejected: User unknown'
  server.outcome = Object.assign(withCode('EENVELOPE', 550), { response })
  for (const [atMinute, to] of [
    [0, 'nobody@example.com'],
    [6, 'noone@example.com'],
    [12, 'none@example.com'],
  ] as const) {
    server.nowMs = minutes(atMinute)
    await send(to)
    await expect(check()).resolves.toBeUndefined()
  }
})
