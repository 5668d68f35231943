import { loadConfig } from '@portal/platform/settings/config'
import { describe, expect, it } from 'vitest'
import { accessLines, apiLines, banner, codeLines } from './banner.ts'

const address = 'http://localhost:3000'
const firstAdmin = { email: 'admin@example.com', password: 'kRf7-Tq2m', isPasswordGenerated: true }

describe('the banner', () => {
  it('shows only the address of a portal in use', () => {
    expect(banner({ address, firstAdmin: undefined, isEmpty: false })).toBe(`\n  Portal is running at ${address}\n\n`)
  })

  it('shows in one line how to fill an empty portal', () => {
    const lines = banner({ address, firstAdmin, isEmpty: true }).split('\n')
    expect(lines.filter((line) => line.includes('make seed'))).toEqual([
      '  This portal is empty. To add sample data, stop it and run make seed.',
    ])
  })

  it('shows the sample data after the first admin', () => {
    const learners = { created: 3, existing: 0, firstEmail: 'first@example.com', lastEmail: 'last@example.com' }
    const text = banner({ address, firstAdmin, isEmpty: false, seeded: { password: 'Learners-2026', learners } })
    expect(text.indexOf('kRf7-Tq2m')).toBeLessThan(text.indexOf('Sample data'))
    expect(text).toContain('3 learners, first@example.com to last@example.com')
    expect(text).toContain('Password: Learners-2026')
  })
})

describe('in development the banner', () => {
  const sampleLogins = ['first@example.com', 'faculty@example.com']

  it('names the API documentation, if it is served', () => {
    expect(apiLines(loadConfig({}), address)).toEqual(['API:     http://localhost:3000/docs'])
    expect(apiLines(loadConfig({ DOCS: 'off' }), address)).toEqual([])
    expect(apiLines(loadConfig({ NODE_ENV: 'production' }), address)).toEqual([])
    const lines = banner({ address, api: ['API'], codes: ['Mailbox'] })
      .trim()
      .split('\n')
    expect(lines).toEqual([`Portal is running at ${address}`, '  API', '  Mailbox'])
  })

  it('names the sample logins of earlier sample data', () => {
    expect(banner({ address, sampleLogins })).toContain(
      '  Sample logins: first@example.com, faculty@example.com, with the password that was printed with the sample data\n',
    )
    const learners = { created: 3, existing: 0, firstEmail: 'first@example.com', lastEmail: 'last@example.com' }
    const seeded = { password: 'Learners-2026', learners }
    expect(banner({ address, sampleLogins, seeded })).not.toContain('Sample logins')
  })
})

describe('the first admin’s password', () => {
  it('is announced as temporary in production', () => {
    const text = (isFirstPasswordTemporary: boolean) => banner({ address, firstAdmin, isFirstPasswordTemporary })
    expect(text(true)).toContain('It works for 72 hours. Set your own')
    expect(text(false)).not.toContain('72 hours')
  })
})

describe('the access lines', () => {
  const linesFor = (environment: Record<string, string>) =>
    accessLines(loadConfig(environment), { port: 3000, command: 'make run' })

  it('name this machine only, unless HOST is set', async () => {
    expect(await linesFor({})).toEqual([
      'Only this machine can open it. To open it to phones on the same network: make run HOST=0.0.0.0',
    ])
    expect(await linesFor({ NODE_ENV: 'production' })).toEqual([])
  })
  it('[C11] name this machine only however HOST writes its loopback address', async () => {
    expect(await linesFor({ HOST: '127.1' })).toEqual(await linesFor({}))
  })
  it('name the network addresses of the machine', async () => {
    expect(await linesFor({ HOST: '192.168.1.5' })).toEqual(['Open to this network at http://192.168.1.5:3000'])
    for (const line of await linesFor({ HOST: '0.0.0.0' })) expect(line).not.toContain('127.0.0.1')
  })
})

describe('the code lines', () => {
  const mailboxAddress = `${address}/dev/outbox/key`
  const linesFor = (environment: Record<string, string>, options: Parameters<typeof codeLines>[1]) =>
    codeLines(loadConfig(environment), options)

  it('name the mailbox if it is enabled, otherwise the file', () => {
    expect(linesFor({ DEV_OUTBOX: '1' }, { mailboxAddress, canShow: true })).toEqual([`Mailbox: ${mailboxAddress}`])
    expect(linesFor({}, { canShow: true })).toEqual([
      'Mailbox: data/outbox.jsonl, with codes and links. To see it in the browser: make run DEV_OUTBOX=1',
    ])
    expect(linesFor({}, { canShow: false })).toEqual(['Mailbox: data/outbox.jsonl, with codes and links.'])
  })
  it('name only what is not sent', () => {
    expect(linesFor({ SMTP_URL: 'smtp://mail' }, { canShow: false })).toEqual([
      'Mailbox: data/outbox.jsonl, with codes for mobile numbers. Mail is sent.',
    ])
    expect(linesFor({ SMS_URL: 'http://sms' }, { canShow: false })).toEqual([
      'Mailbox: data/outbox.jsonl, with codes and links for mail. Text messages are sent.',
    ])
  })
  it('are empty if codes are sent, or in production', () => {
    expect(linesFor({ SMTP_URL: 'smtp://mail', SMS_URL: 'http://sms' }, { canShow: true })).toEqual([])
    expect(linesFor({ NODE_ENV: 'production' }, { canShow: true })).toEqual([])
  })
})
