import { userIdSchema } from '@portal/contracts/shared/ids'
import { createMetrics } from '@portal/platform/observability/metrics/metrics'
import type { Mail } from '@portal/platform/outbound/port'
import { createLogger } from '@portal/platform/observability/logger'
import { afterEach, expect, test } from 'vitest'
import { createLinkSender, type LinkSenderOptions, resetMailOf } from './send-link.ts'
import { until } from '@portal/platform/testing/until'

const userId = userIdSchema.parse('01980000-0000-7000-8000-00000000000b')
const email = 'asha.verma@example.com'
const token = 'a-token-that-nobody-may-see'
const resetMail = (isDue = async () => true) => resetMailOf({ email, userId, token, isDue })
const hourMs = 3_600_000

/** A post office that first fails so many times. */
const open = (failures: number, sending: Partial<LinkSenderOptions> = {}) => {
  const [log, sent]: [string[], Mail[]] = [[], []]
  let attempts = 0
  const { outbound } = createMetrics()
  const links = createLinkSender({
    mail: {
      send: async (mail) => {
        attempts += 1
        if (attempts <= failures) throw new Error(`451 ${email} later, ${mail.link}`)
        sent.push(mail)
      },
    },
    origin: 'https://portal.example',
    retryDelaysMs: [1, 1],
    maxInFlight: 500,
    givenUp: outbound.givenUp.labels({ channel: 'email' }),
    logger: createLogger({ level: 'debug', destination: { write: (line: string) => void log.push(line) } }),
    ...sending,
  })
  const givenUp = async () => (await outbound.givenUp.get()).values.reduce((sum, { value }) => sum + value, 0)
  opened = links
  return { links, log, sent, attempts: () => attempts, givenUp }
}
let opened: { stop(): Promise<void> } | undefined
afterEach(async () => opened?.stop())

test('retries a failed mail and sends it once', async () => {
  const post = open(2)
  post.links.send(resetMail())
  await until(() => expect(post.sent).toHaveLength(1))
  await post.links.stop()
  expect(post.sent[0]?.link).toBe(
    `https://portal.example/reset-password?token=${token}#email=${encodeURIComponent(email)}`,
  )
  expect(post.attempts()).toBe(3)
  expect(await post.givenUp()).toBe(0)
})

test('drops and counts a mail after the last attempt, without personal data in the log', async () => {
  const post = open(100)
  post.links.send(resetMail())
  await until(() => expect(post.log.join('')).toContain('reset link dropped'))
  expect(post.attempts()).toBe(3)
  expect(await post.givenUp()).toBe(1)
  for (const secret of [email, encodeURIComponent(email), token]) expect(post.log.join('')).not.toContain(secret)
})

test('a stop does not wait for a retry, and counts unsent mails', async () => {
  const post = open(1, { retryDelaysMs: [hourMs] })
  post.links.send(resetMail())
  await until(() => expect(post.attempts()).toBe(1))
  await post.links.stop()
  expect(post.attempts()).toBe(1)
  expect(await post.givenUp()).toBe(1)
})

test('queues no more mails than its capacity', async () => {
  const post = open(100, { retryDelaysMs: [hourMs], maxInFlight: 2 })
  for (let n = 0; n < 2; n++) {
    expect(post.links.hasCapacity()).toBe(true)
    post.links.send(resetMail())
  }
  expect(post.links.hasCapacity()).toBe(false)
  post.links.send(resetMail())
  expect(await post.givenUp()).toBe(1)
  await until(() => expect(post.attempts()).toBe(2))
})

test('a retry sends nothing to an account that was erased meanwhile', async () => {
  const post = open(1)
  let asked = 0
  post.links.send(
    resetMail(async () => {
      asked += 1
      return false
    }),
  )
  await until(() => expect(asked).toBe(1))
  await post.links.stop()
  expect([post.attempts(), post.sent, await post.givenUp()]).toEqual([1, [], 0])
})
