import { randomUUID } from 'node:crypto'
import { catalogEventSchema, learnerInvitationsPartition } from '@portal/contracts/catalog/events'
import type { Publisher } from '@portal/platform/bus/publisher'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { until } from '@portal/platform/testing/until'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { afterEach, beforeEach, expect, test } from 'vitest'

const read = storedEventReader(catalogEventSchema)
/** As the catalog publishes them. */
const publisher: Publisher = {
  category: 'learnerInvitation',
  topics: ['catalog'],
  publish: (recorded) => [{ topic: 'catalog', key: learnerInvitationsPartition, ...read(recorded) }],
}
const options = {
  publishers: [publisher],
  linkSenderOptions: { retryDelaysMs: Array<number>(2_000).fill(5) },
}
const programId = '01980000-0000-7000-8a00-000000000001'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness(options)
})
afterEach(() => portal.stop())

const record = async (type: string, data: object) => {
  const event = { id: randomUUID(), type, data: { ...data } }
  await portal.parts.eventStore.append('learnerInvitation-one', 'any', [event])
}
const invite = async (email: string, type = 'LearnerInvited', expiresAt = '2026-04-01T09:00:00.000Z') => {
  const { vault } = portal.parts
  const invitationId = randomUUID()
  const emailIndex = vault.index('email', email)
  const ref = { invitationId, programId, emailIndex }
  const address = await vault.encrypt(invitationId, email)
  const invitedAt = portal.world.clockAndIds.now().toISOString()
  const sent = { ...ref, programName: 'Minor in AI', address, expiresAt }
  await record(type, { ...sent, ...(type === 'LearnerInvited' && { invitedBy: randomUUID(), invitedAt }) })
  return ref
}
const receivers = () => portal.world.mails.filter(({ text }) => text.includes('You are invited')).map(({ to }) => to)
const expectMailed = (...to: string[]) => until(() => expect(receivers()).toEqual(to))

test('who is invited gets a mail with the program and the way to an account, again when it is sent again', async () => {
  await invite('asha@example.com')
  await expectMailed('asha@example.com')
  expect(portal.world.mails).toMatchObject([
    {
      subject: 'Invitation to Minor in AI',
      text: expect.stringContaining('With it, you are enrolled: https://portal.example/register'),
    },
  ])
  expect(portal.world.mails[0]?.text).toContain('valid until 1 April 2026 at 09:00 UTC')
  await invite('asha@example.com', 'LearnerInvitationResent')
  await expectMailed('asha@example.com', 'asha@example.com')
})

test('who has an account meanwhile gets none', async () => {
  await portal.register()
  await invite(applicant.personalEmail)
  await invite('ben@example.com')
  await expectMailed('ben@example.com')
})

test('an address that many invite gets ten mails a day', async () => {
  for (let n = 0; n < 12; n++) await invite('asha@example.com')
  await invite('ben@example.com')
  await until(() => expect(receivers()).toContain('ben@example.com'))
  expect(receivers()).toHaveLength(11)
})

test('an invitation just before a crash is mailed after the next start, and by no later start or rebuild', async () => {
  await portal.restart({ ...options, runs: false })
  await invite('asha@example.com')
  portal.world.passSeconds(10 * 60)
  await portal.restart(options)
  await expectMailed('asha@example.com')
  await portal.restart(options)
  await portal.restart({ ...options, namespace: 'rebuilt' })
  await invite('ben@example.com')
  await expectMailed('asha@example.com', 'ben@example.com')
})

test('an invitation that no process could mail is mailed as long as it is valid', async () => {
  await portal.restart({ ...options, runs: false })
  await invite('asha@example.com')
  portal.world.passSeconds(3 * 24 * 60 * 60)
  await portal.restart(options)
  await expectMailed('asha@example.com')
  portal.world.passSeconds(30 * 24 * 60 * 60)
  await invite('ben@example.com')
  await invite('chitra@example.com', 'LearnerInvitationResent', '2026-05-01T09:00:00.000Z')
  await expectMailed('asha@example.com', 'chitra@example.com')
})

test('while the mail server is down, invitations wait, also over a restart; then each is mailed once', async () => {
  portal.world.outage.mail = new Error('connect ECONNREFUSED')
  const ended = await invite('asha@example.com')
  const waiting = ['ben@example.com', 'chitra@example.com', 'deepa@example.com']
  for (const email of waiting) await invite(email)
  await until(() => expect(portal.world.log.join('')).toContain('failed to send invitation of learner'))
  await portal.restart(options)
  portal.world.passSeconds(5 * 60 * 60)
  // The catalog ends it.
  await portal.parts.vault.erase(ended.invitationId)
  portal.world.outage.mail = undefined
  await expectMailed(...waiting)
  await portal.restart(options)
  await invite('esha@example.com')
  await expectMailed(...waiting, 'esha@example.com')
})

/** Of this recipient only. */
const refusal = (text: string) => Object.assign(new Error(text), { code: 'EENVELOPE', command: 'RCPT TO' })

test('a mail that the provider rejects is sent again, without its address in the log; others do not wait for it', async () => {
  portal.world.outage.mail = refusal('550 asha@example.com is busy')
  await invite('asha@example.com')
  await until(() => expect(portal.world.log.join('')).toContain('failed to send invitation of learner'))
  await invite('ben@example.com')
  portal.world.outage.mail = undefined
  await until(() => expect(receivers().toSorted()).toEqual(['asha@example.com', 'ben@example.com']))
  expect(portal.world.log.join('')).not.toContain('asha@')
})

test('a mail that waits for its provider ends with its invitation', async () => {
  portal.world.outage.mail = refusal('451 try later')
  const ref = await invite('asha@example.com')
  await until(() => expect(portal.world.log.join('')).toContain('failed to send invitation of learner'))
  await record('LearnerInvitationWithdrawn', ref)
  await until(async () => {
    const events = await portal.recorded()
    const sent = events.flatMap(({ data }) => Object(data).address ?? [])[0]
    expect(await portal.parts.vault.decrypt(ref.invitationId, sent)).toBeUndefined()
  })
  portal.world.outage.mail = undefined
  await invite('ben@example.com')
  await expectMailed('ben@example.com')
})
