import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../settings/config.ts'
import { openOutbound, devMailboxFileIn } from './open-outbound.ts'
import { createDevMailbox } from './dev-mailbox.ts'
import { pushKeysFrom } from './web-push/push-keys.ts'
import { anyTokens, pushContract } from '@portal/platform/testing/outbound/push-contract'

const at = '2026-03-01T10:00:00.000Z'
const now = () => new Date(at)
const userIds = ['u1']

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outbox-'))
  file = devMailboxFileIn(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))

const lineSchema = z.object({ to: z.string(), subject: z.string(), link: z.string() })

pushContract('the outbox file', async () => {
  const own = mkdtempSync(join(tmpdir(), 'outbox-push-'))
  const path = devMailboxFileIn(own)
  return {
    sender: createDevMailbox({ file: path, now }).push,
    tokens: anyTokens,
    delivered: async () =>
      (existsSync(path) ? linesOf(path) : [])
        .map((line) => lineSchema.parse(line))
        .map(({ to, subject, link }) => ({ token: to, title: subject, url: link })),
    dispose: async () => rmSync(own, { recursive: true }),
  }
})

describe('the development mailbox', () => {
  it('gets no push to the subscription of a browser, which Web Push delivers beside any provider', async () => {
    const pushKeys = pushKeysFrom(Buffer.alloc(32, 1))
    const outbound = openOutbound(loadConfig({ DATA_DIR: folder }), {
      now,
      logger: pino({ level: 'silent' }),
      pushKeys,
    })
    const message = { notificationId: 'n1', title: 'Exam', body: 'On Monday', url: '/notification/n1', type: 'Exam' }
    const json = { endpoint: 'https://127.0.0.1/x', keys: { p256dh: pushKeys.publicKey, auth: 'A'.repeat(22) } }
    const subscription = `webpush:${Buffer.from(JSON.stringify(json)).toString('base64url')}`
    expect(await outbound.push.send([subscription, 't1'], message)).toEqual([
      { kind: 'failed', reason: 'push service not public' },
      { kind: 'accepted' },
    ])
    expect(outbound.healthParts.map(({ name }) => name)).toEqual(['push'])
    await outbound.close()
    expect(linesOf(file)).toMatchObject([{ to: 't1' }])
  })
  it('writes one line per message, with its fields', async () => {
    const outbound = openOutbound(loadConfig({ DATA_DIR: folder }), { now, logger: pino({ level: 'silent' }) })
    await outbound.mail.send({
      userIds,
      to: 'ann@example.com',
      subject: 'Your code',
      text: 'It is\n123456',
      code: '123456',
    })
    await outbound.mail.send({
      userIds,
      to: 'ann@example.com',
      subject: 'Reset',
      text: 'Here',
      link: '/reset-password?token=x',
    })
    await outbound.sms.send({ userIds, to: '9876543210', text: 'Hello' })
    const message = { notificationId: 'n1', title: 'Exam', body: 'On Monday', url: '/notification/n1', type: 'Exam' }
    expect(await outbound.push.send(['t1', 't2'], message, ['u1', 'u2'])).toEqual([
      { kind: 'accepted' },
      { kind: 'accepted' },
    ])
    await outbound.close()

    const push = { at, channel: 'push', subject: 'Exam', text: 'On Monday', link: '/notification/n1' }
    const mail = { at, channel: 'email', to: 'ann@example.com', userIds }
    expect(linesOf(file)).toEqual([
      { ...mail, subject: 'Your code', text: 'It is\n123456', code: '123456' },
      { ...mail, subject: 'Reset', text: 'Here', link: '/reset-password?token=x' },
      { at, channel: 'sms', to: '9876543210', text: 'Hello', userIds },
      { ...push, to: 't1', userIds: ['u1'] },
      { ...push, to: 't2', userIds: ['u2'] },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
  it('keeps the call order, and has written a message when its call resolves', async () => {
    const { sms } = createDevMailbox({ file, now })
    await Promise.all(
      Array.from({ length: 500 }, async (_, i) => {
        await sms.send({ userIds, to: String(i), text: 'x' })
        expect(readFileSync(file, 'utf8')).toContain(`"to":"${i}"`)
      }),
    )
    expect(linesOf(file)).toEqual(
      Array.from({ length: 500 }, (_, i) => ({ at, channel: 'sms', to: String(i), text: 'x', userIds })),
    )
  })
  it('rejects a failed write, and accepts the next message', async () => {
    mkdirSync(file)
    const { sms } = createDevMailbox({ file, now })
    await expect(sms.send({ userIds, to: '1', text: 'x' })).rejects.toThrow(/EISDIR/)
    rmSync(file, { recursive: true })
    await sms.send({ userIds, to: '2', text: 'x' })
    expect(linesOf(file)).toEqual([{ at, channel: 'sms', to: '2', text: 'x', userIds }])
  })
  it('can be shared by several writers without mixing lines', async () => {
    const writers = Array.from({ length: 4 }, () => createDevMailbox({ file, now, maxBytes: 40_000 }))
    const text = 'x'.repeat(1_000)
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => writers[n % writers.length]?.sms.send({ userIds, to: String(n), text })),
    )
    for (const path of [file, `${file}.previous`].filter((name) => existsSync(name))) {
      for (const line of linesOf(path)) expect(line).toMatchObject({ channel: 'sms', text })
    }
  })
  it('rotates a large file', async () => {
    const { sms } = createDevMailbox({ file, now, maxBytes: 100 })
    for (const to of ['1', '2', '3', '4']) await sms.send({ userIds, to, text: 'x'.repeat(60) })
    expect(linesOf(file)).toHaveLength(1)
    expect(existsSync(`${file}.previous`)).toBe(true)
  })
  describe('an erasure', () => {
    const mailTo = (to: string, ...people: readonly string[]) => ({ to, subject: 'Hello', text: 'é', userIds: people })

    it('blanks what is about the person, in both files, and nothing else', async () => {
      const { mail, sms, forget } = createDevMailbox({ file, now, maxBytes: 250 })
      await mail.send(mailTo('ann@example.com', 'ann'))
      await mail.send(mailTo('ben@example.com', 'ben', 'ann'))
      await sms.send({ to: '9876543210', text: 'x', userIds: ['ann'] })
      await mail.send(mailTo('ben@example.com', 'ben'))
      const sizes = () => [`${file}.previous`, file].map((name) => statSync(name).size)
      const before = sizes()
      await forget('ann')
      expect(sizes()).toEqual(before)
      const blank = { at, channel: 'email', to: '', text: '' }
      expect(linesOf(`${file}.previous`)).toEqual([blank, blank])
      const kept = { at, channel: 'email', ...mailTo('ben@example.com', 'ben') }
      expect(linesOf(file)).toEqual([{ ...blank, channel: 'sms' }, kept])
      await forget('ann')
      expect(linesOf(file)).toEqual([{ ...blank, channel: 'sms' }, kept])
    })

    it('loses nothing that is sent meanwhile, here or by another process', async () => {
      const [one, other] = [createDevMailbox({ file, now }), createDevMailbox({ file, now })]
      const sending = Array.from({ length: 200 }, (_, n) =>
        (n % 2 === 0 ? one : other).mail.send(mailTo(String(n), n % 4 === 0 ? 'ann' : 'ben')),
      )
      await Promise.all([...sending, ...sending.map(() => one.forget('ann'))])
      await one.forget('ann')
      const to = linesOf(file).map((line) => lineSchema.pick({ to: true }).parse(line).to)
      expect(to.filter((name) => name !== '').toSorted()).toEqual(
        Array.from({ length: 200 }, (_, n) => String(n))
          .filter((_, n) => n % 4 !== 0)
          .toSorted(),
      )
      expect(to).toHaveLength(200)
    })

    it('has nothing to do before anything was sent', async () => {
      await createDevMailbox({ file, now }).forget('ann')
      expect(existsSync(file)).toBe(false)
    })
  })
})
