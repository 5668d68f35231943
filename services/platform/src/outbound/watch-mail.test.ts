import { pino } from 'pino'
import { expect, it } from 'vitest'
import { UnconfirmedError } from './port.ts'
import { watchMail } from './watch-mail.ts'

const minutes = (count: number) => count * 60_000
const message = { to: 'ann@example.com', subject: 'Your code', text: 'It is 123456' }
const withCode = (code: string) => Object.assign(new Error('ann@example.com: rejected'), { code })

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
  return { server, lines, check, send: () => mail.send(message).catch(() => undefined) }
}

it('mail is down once the server has accepted nothing for five minutes, and up after the next e-mail', async () => {
  const { server, lines, check, send } = startMail()
  server.outcome = withCode('EAUTH')
  await send()
  server.nowMs = minutes(4)
  await send()
  await check()
  server.nowMs = minutes(6)
  await expect(check()).rejects.toThrow('SMTP_URL: the mail server has accepted nothing for 6 minutes (EAUTH)')
  server.outcome = undefined
  await send()
  await check()
  expect(lines.map((line) => String(JSON.parse(line).msg))).toEqual([
    'the mail server of SMTP_URL does not accept e-mails',
    'the mail server of SMTP_URL accepts e-mails again',
  ])
  expect(lines.join('')).not.toContain('ann@example.com')
})

it('mail that is down is tried once a minute without an e-mail', async () => {
  const { server, check, send } = startMail()
  server.outcome = new UnconfirmedError(new Error('a test did it'))
  await send()
  for (const atMinute of [5, 5.5, 6]) {
    server.nowMs = minutes(atMinute)
    await expect(check()).rejects.toThrow('no answer in time')
  }
  expect(server.probes).toBe(2)
  server.outcome = undefined
  server.nowMs = minutes(7)
  await expect(check()).rejects.toThrow('no answer in time')
  await check()
})

it('mail is not down because recipients are refused', async () => {
  const { server, check, send } = startMail()
  server.outcome = withCode('EENVELOPE')
  await send()
  server.nowMs = minutes(60)
  await send()
  await expect(check()).resolves.toBeUndefined()
})
