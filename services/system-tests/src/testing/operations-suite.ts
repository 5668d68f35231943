import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as auth from '@portal/contracts/auth/http'
import * as notifications from '@portal/contracts/notifications/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { openReadModel } from '@portal/platform/adapters/open-adapters'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, send as sendRaw, type SignedIn, wholeInbox } from './api-client.ts'
import { connectInbox, type InboxClient } from './inbox-client.ts'
import {
  createOperator,
  deadLettersSchema,
  eventsSchema,
  findingsSchema,
  madeAdminSchema,
  type Operator,
  statusSchema,
} from './operator.ts'
import { admin, type Environment, eventually } from './portal-process.ts'

/** A running portal. */
type RunningPortal = {
  readonly address: string
  readonly dataDir: string
  /** Settings that commands need to address it, besides DATA_DIR. */
  readonly settings: Environment
  readonly readModelUrl: string
  /** Four logged-in learners. */
  readonly learners: readonly SignedIn[]
  stop(): Promise<unknown>
}

const tokenOf = (text: string): string => /token=([\w-]+)/.exec(text)?.[1] ?? ''

const waitTimeoutMs = 30_000
const waitFor = <T>(what: string, probe: () => Promise<T | undefined | false>): Promise<T> =>
  eventually(what, probe, waitTimeoutMs)

/** Tests of the operational make commands, for any set of adapters. */
export const describeOperations = (start: () => Promise<RunningPortal>): void => {
  let portal: RunningPortal
  let operator: Operator
  let sender: SignedIn
  let watching: SignedIn
  let away: SignedIn
  let markingAll: SignedIn
  let outsider: SignedIn
  let tab: InboxClient
  let notificationId: string

  const command: Operator['command'] = (...args) => operator.command(...args)
  const json: Operator['json'] = (...args) => operator.json(...args)
  const why = (user: string, notification = notificationId) => operator.why(user, notification)

  const send = async (userIds: readonly string[], title: string): Promise<string> => {
    const body = { userIds, title, message: 'Please call Ann on 9000000001.', type: 'General' }
    const answer = await callRoute(portal.address, notifications.sendNotification, { token: sender.token, body })
    return answer.notificationId
  }

  beforeAll(async () => {
    portal = await start()
    operator = createOperator(portal)
    const [first, second, third, fourth] = portal.learners
    if (!first || !second || !third || !fourth) throw new Error('the portal needs four learners')
    ;[watching, away, markingAll, outsider] = [first, second, third, fourth]
    sender = await logIn(portal.address, admin.email, admin.password)
    tab = await connectInbox({ address: portal.address, token: watching.token })
    notificationId = await send([watching.userId, away.userId, markingAll.userId], 'Come to room 12')
    await waitFor('the tab has reported it', async () => (await why(watching.userId)).ending === 'live')
    await callRoute(portal.address, notifications.readNotification, {
      token: watching.token,
      params: { id: notificationId },
    })
    await callRoute(portal.address, notifications.readAllNotifications, { token: markingAll.token })
    await waitFor('everybody is settled', async () => {
      const stories = await Promise.all([why(watching.userId), why(away.userId), why(markingAll.userId)])
      return stories.every(({ ending }) => !ending.startsWith('waiting') && !ending.startsWith('on-its-way'))
    })
  }, 180_000)
  afterAll(async () => {
    tab?.close()
    await portal?.stop()
  }, 60_000)

  const inboxConsumer = async () => {
    const { consumers } = await json(statusSchema, 'status')
    const found = consumers.find(({ consumer }) => consumer === 'inbox')
    if (found?.generation === undefined) throw new Error('the inbox projection is not listed')
    return { ...found, generation: found.generation }
  }

  /** Writes or removes a document that the inbox projection cannot read, as after a disk error. */
  const corruptInbox = async (userId: string, isCorrupt: boolean): Promise<void> => {
    const { generation } = await inboxConsumer()
    const readModel = await openReadModel(portal.readModelUrl, generation)
    const partition = bucketKey(userId)
    const expected = await readModel.position('corruptor', partition)
    const ref = { collection: 'inbox-head', key: userId } as const
    const write = isCorrupt ? ({ op: 'put', ...ref, value: 'corrupt' } as const) : ({ op: 'delete', ...ref } as const)
    const position = isCorrupt ? '1' : '2'
    const outcome = await readModel.commit({ projection: 'corruptor', partition, expected, position, writes: [write] })
    expect(outcome).toBe('committed')
    await readModel.close()
  }

  describe('make why', () => {
    it('explains in order how a user saw and read it, by id or e-mail address', async () => {
      const story = await why(watching.email)
      expect(story).toMatchObject({ ending: 'live', isRead: true })
      expect(story.verdict).toMatch(/An open screen has shown it\. Read .* after sending\./)
      expect(story.steps.map(({ step }) => step)).toEqual(
        expect.arrayContaining(['recorded', 'inbox', 'devices', 'outcome', 'read']),
      )
      const times = story.steps.flatMap(({ at }) => at ?? [])
      expect(times).toEqual(times.toSorted())
      expect(story.steps[0]?.says).toContain(sender.userId)
      expect(await why(watching.userId)).toEqual(story)
    })

    it('explains why a user got no push, and what was read by mark-all', async () => {
      expect(await why(away.userId)).toMatchObject({ ending: 'skipped', isRead: false })
      expect((await why(away.userId)).verdict).toContain('no device')
      const story = await why(markingAll.userId)
      expect(story.isRead).toBe(true)
      expect(story.verdict).toContain('(mark all as read)')
    })

    it('explains what did not happen', async () => {
      expect(await why(outsider.userId)).toMatchObject({ ending: 'not-a-recipient', steps: expect.any(Array) })
      expect(await why(outsider.userId, outsider.userId)).toMatchObject({ ending: 'no-such-notification' })
      expect(await why(notificationId)).toMatchObject({ ending: 'no-such-user' })
      for (const settings of [
        { USER: 'root', NOTIFICATION: notificationId },
        { USER: 'nobody@example.com', NOTIFICATION: notificationId },
        { USER: away.userId, NOTIFICATION: 'x' },
      ]) {
        const { code, stderr } = await command('why', settings)
        expect(code).toBe(1)
        expect(stderr.trim().split('\n')).toHaveLength(1)
      }
    })

    it('lists the last notifications of a user with their ids', async () => {
      const { stdout, code } = await command('why', { USER: watching.email, NOTIFICATION: '' })
      expect(code).toBe(0)
      expect(stdout).toContain(`To explain one: make why USER=${watching.userId} NOTIFICATION=`)
      expect(stdout).toMatch(new RegExp(`^${notificationId} .* live .* read$`, 'm'))
      expect(stdout).not.toContain(watching.email)
    })

    it('prints readable text', async () => {
      const { stdout, code } = await command('why', { USER: watching.email, NOTIFICATION: notificationId })
      expect(code).toBe(0)
      expect(stdout).toContain('Recorded as')
      expect(stdout).not.toContain(watching.email)
    })
  })

  describe('make events', () => {
    it('shows nobody’s name, address or number, nor what was written to them', async () => {
      const texts = [await command('events', { LIMIT: '1000' }), await command('events', { LIMIT: '1000', JSON: '1' })]
      for (const { stdout, code } of texts) {
        expect(code).toBe(0)
        expect(stdout).toContain('UserRegistered')
        expect(stdout).toContain('CampaignSent')
        expect(stdout).not.toMatch(/@example\.com|90000000|room 12|Please call|argon2/)
      }
    })

    it('shows personal data for a reason, which is on record within seconds', async () => {
      const stream = `user-${watching.userId}`
      const refused = await command('events', { STREAM: stream, UNMASK: '1' })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('REASON')
      const shown = await json(eventsSchema, 'events', { STREAM: stream, UNMASK: '1', REASON: 'ticket 4711' })
      expect(JSON.stringify(shown)).toContain(watching.email)
      expect(JSON.stringify(shown)).not.toContain('argon2')
      const recorded = await waitFor('it is recorded', async () => {
        const { events } = await json(eventsSchema, 'events', { TYPE: 'PersonalDataShown' })
        return events[0]
      })
      expect(recorded.data).toMatchObject({
        reason: 'ticket 4711',
        what: { filter: { stream }, events: shown.events.length, userIds: [watching.userId] },
      })
    })

    it('continues after a position', async () => {
      const all = await json(eventsSchema, 'events', { CATEGORY: 'user', LIMIT: '1000' })
      const first = await json(eventsSchema, 'events', {
        CATEGORY: 'user',
        AFTER: all.events[0]?.position ?? '',
        LIMIT: '2',
      })
      expect(first.events).toHaveLength(2)
      const rest = await json(eventsSchema, 'events', { CATEGORY: 'user', AFTER: first.events[1]?.position ?? '' })
      expect(rest.events).toHaveLength(all.events.length - 3)
      expect(rest.events.every(({ position }) => position > (first.events[1]?.position ?? ''))).toBe(true)
      for (const settings of [{ AFTER: 'yesterday' }, { EVENT_STORE_URL: 'esdb://user:secret@127.0.0.1:1' }]) {
        const { code, stderr } = await command('events', settings)
        expect(code).toBe(1)
        expect(stderr.trim().split('\n')).toHaveLength(1)
        expect(stderr).not.toContain('secret')
      }
    })
  })

  describe('make status', () => {
    it('reports health and the position of each consumer, and exits with 0', async () => {
      const status = await waitFor('nobody is behind', async () => {
        const seen = await json(statusSchema, 'status')
        return seen.consumers.every(({ lag }) => lag.events === 0) && seen
      })
      expect(status).toMatchObject({ isHealthy: true, problems: [] })
      expect(status.consumers.map(({ consumer }) => consumer)).toEqual(
        expect.arrayContaining(['inbox', 'users', 'ledger', 'auth-follow-up', 'push-tokens-of-ended-sessions']),
      )
      expect(status.consumers.find(({ consumer }) => consumer === 'inbox')).toMatchObject({
        generation: expect.stringMatching(/^inbox\.v\d+-\d{8}t\d{6}$/),
        parked: 0,
      })
      const { code, stdout } = await command('status')
      expect(code).toBe(0)
      expect(stdout).toMatch(/^Portal: .*\nHealthy\./)
    })

    it('changes nothing', async () => {
      const before = (await wholeInbox(portal.address, watching.token)).items
      await Promise.all([command('status'), command('events'), command('status')])
      expect((await wholeInbox(portal.address, watching.token)).items).toEqual(before)
      expect(await readFile(join(portal.dataDir, 'master.key'), 'utf8')).toHaveLength(65)
    })
  })

  describe('make dead-letters', () => {
    it('shows what could not be applied, and retries it beside the running portal, on record', async () => {
      expect(await json(deadLettersSchema, 'dead-letters')).toMatchObject({ count: 0, oldest: [] })
      await corruptInbox(outsider.userId, true)
      const parkedId = await send([outsider.userId], 'For your eyes')
      const parked = await waitFor('it is parked', async () => {
        const found = await json(deadLettersSchema, 'dead-letters', { P: 'inbox' })
        return found.count > 0 && found
      })
      expect(parked.oldest[0]).toMatchObject({
        projection: 'inbox',
        partition: bucketKey(outsider.userId),
        type: 'RecipientsTargeted',
        reason: expect.stringContaining('inbox head'),
      })
      expect(await why(outsider.userId, parkedId)).toMatchObject({ ending: 'parked', isRead: false })
      expect((await command('status')).stdout).toMatch(/\d dead letters?: see make dead-letters/)

      const unasked = await command('dead-letters-retry')
      expect(unasked).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Portal: .*\n$/) })
      expect(unasked.stderr).toContain('YES=1')
      const failing = await command('dead-letters-retry', { YES: '1', LIMIT: '1' })
      expect(failing.code).toBe(1)
      expect(failing.stdout).toContain('inbox: 0 applied, 1 failed again')

      await corruptInbox(outsider.userId, false)
      const retrying = await command('dead-letters-retry', { YES: '1' })
      expect(retrying).toMatchObject({ code: 0 })
      expect(retrying.stdout).toContain('No dead letters are left.')
      expect((await wholeInbox(portal.address, outsider.token)).items.map(({ _id }) => _id)).toEqual([parkedId])
      const { data } = await waitFor('it is recorded', async () => {
        const { events } = await json(eventsSchema, 'events', { TYPE: 'DeadLettersRetried' })
        return events[1]
      })
      expect(data).toMatchObject({ what: { projections: ['inbox'], failed: 0 } })
    })

    it('rejects unknown values in one line', async () => {
      for (const settings of [{ P: 'nothing' }, { LIMIT: '100000' }]) {
        const { code, stderr } = await command('dead-letters-retry', settings)
        expect(code).toBe(1)
        expect(stderr.trim().split('\n')).toHaveLength(1)
      }
    })
  })

  describe('make admin', () => {
    const reset = (token: string, password: string) =>
      sendRaw(portal.address, 'POST', `/auth/reset-password/${token}`, { body: { password } })
    const password = 'Wheelhouse-4711'

    it('makes an admin of an account: one link sets the password, once; sessions and the former password end', async () => {
      const made = await json(madeAdminSchema, 'admin', {
        EMAIL: outsider.email.toUpperCase(),
        REASON: 'Joins the team',
      })
      expect(made).toMatchObject({ userId: outsider.userId, account: 'existing', isEffective: true })
      const { method, path } = auth.getProfile
      expect(await sendRaw(portal.address, method, path, { token: outsider.token })).toMatchObject({ status: 401 })
      const token = tokenOf(made.link)
      expect(await reset(token, password)).toMatchObject({ status: 200 })
      const promoted = await logIn(portal.address, outsider.email, password)
      const { users } = await callRoute(portal.address, auth.listUsers, { token: promoted.token })
      expect(users.find(({ _id }) => _id === outsider.userId)).toMatchObject({ role: 'admin' })
      expect(await reset(token, 'Wheelhouse-4712')).toMatchObject({ status: 400 })
      expect(await logIn(portal.address, outsider.email, password)).toMatchObject({ userId: outsider.userId })
      const { events } = await json(eventsSchema, 'events', { TYPE: 'AdminMade' })
      const what = { userId: outsider.userId, account: 'existing', wasAdmin: false }
      expect(events).toMatchObject([{ data: { by: expect.any(String), what } }])
    })

    it('makes a new account, whose link works until the next one is used', async () => {
      const email = 'second.admin@example.com'
      const { code, stdout } = await command('admin', { EMAIL: email })
      expect(code).toBe(0)
      expect(stdout).toContain(`${email} is a new account with the role admin.`)
      const again = await json(madeAdminSchema, 'admin', { EMAIL: email })
      expect(again).toMatchObject({ account: 'existing', isEffective: true })
      // The second command replaced the password that the first link was for.
      expect(await reset(tokenOf(stdout), password)).toMatchObject({ status: 400 })
      expect(await reset(tokenOf(again.link), password)).toMatchObject({ status: 200 })
      const { token } = await logIn(portal.address, email, password)
      const { users } = await callRoute(portal.address, auth.listUsers, { token })
      expect(users.find(({ personalEmail }) => personalEmail === email)).toMatchObject({ role: 'admin' })
    })

    it('rejects an invalid address in one line', async () => {
      for (const EMAIL of ['', 'nobody', '@', 'a b@example.com']) {
        const { code, stderr } = await command('admin', { EMAIL })
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: 'EMAIL must be an email address: make admin EMAIL=asha@example.com\n',
        })
      }
    })
  })

  describe('make doctor', () => {
    const find = async (check: string, settings: Environment = {}) =>
      (await json(findingsSchema, 'doctor', settings)).findings.find((finding) => finding.check === check)

    it('finds the running portal and its keys', async () => {
      expect(await find('data folder')).toMatchObject({ result: 'ok', says: expect.stringContaining('in use by') })
      expect(await find('master key')).toMatchObject({ result: 'ok' })
      expect(await find('event store')).toMatchObject({ result: 'ok' })
    })

    it('counts the admins that make admin made, and warns of the default address', async () => {
      const { findings } = await json(findingsSchema, 'doctor')
      expect(findings.filter(({ check }) => check === 'admins')).toMatchObject([
        { result: 'ok' },
        { result: 'warn', says: expect.stringContaining(admin.email) },
      ])
    })

    it('reports each problem with its fix in one line, and exits with 1', async () => {
      expect(await find('master key', { MASTER_KEY: '0'.repeat(64) })).toMatchObject({ result: 'fail' })
      const { code, stdout } = await command('doctor', { PORT: 'eighty' })
      expect(code).toBe(1)
      expect(stdout).toMatch(/^fail +settings +PORT must be .*Do: /m)
      const engines = { BUS_URL: 'kafka://127.0.0.1:1', READ_MODEL_URL: 'redis://:secret@127.0.0.1:1' }
      const down = await command('doctor', engines)
      expect(down.code).toBe(1)
      expect(down.stdout).toMatch(/^fail +bus +kafka:\/\/127\.0\.0\.1:1 does not answer/m)
      expect(down.stdout).toMatch(/^fail +read models +redis:\/\/127\.0\.0\.1:1 does not answer/m)
      expect(down.stdout).not.toContain('secret')
    })
  })
}
