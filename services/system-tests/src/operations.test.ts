import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as notifications from '@portal/contracts/notifications/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { openReadModel } from '@portal/platform/runtime/wire'
import { callRoute, logIn, seededEmail, type SignedIn, wholeInbox } from './testing/api-client.ts'
import { connectInbox, type InboxClient } from './testing/inbox-client.ts'
import {
  admin,
  type Environment,
  eventually,
  newDataFolder,
  nodeBinary,
  type PortalProcess,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/** What make's operational commands say about a portal that runs, each as a process of its own, as an operator starts it. */
const folder = await newDataFolder()
let portal: PortalProcess
let sender: SignedIn
let watching: SignedIn
let away: SignedIn
let markingAll: SignedIn
let outsider: SignedIn
let tab: InboxClient
let notificationId: string

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** The files that make's targets run. */
const mains = {
  why: 'why/main',
  events: 'events/main',
  status: 'status/main',
  'dead-letters': 'dead-letters/main',
  'dead-letters-retry': 'dead-letters/retry-main',
  doctor: 'doctor/main',
} as const
type CommandName = keyof typeof mains

const command = (name: CommandName, settings: Environment = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const { NODE_ENV: _nodeEnv, VITEST: _vitest, NODE_OPTIONS: _options, ...inherited } = process.env
    execFile(
      nodeBinary,
      [`services/ops/src/${mains[name]}.ts`],
      // No address is set, and no engines are up there: what is asked is the portal of the data folder.
      {
        cwd: repositoryRoot,
        env: { ...inherited, ENGINES_DIR: join(folder.path, 'engines'), DATA_DIR: folder.path, ...settings },
      },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    )
  })

const json = async <T extends z.ZodType>(
  schema: T,
  name: CommandName,
  settings: Environment = {},
): Promise<z.output<T>> => {
  const { stdout, stderr } = await command(name, { JSON: '1', ...settings })
  if (stdout === '') throw new Error(`${name} printed nothing: ${stderr}`)
  return schema.parse(JSON.parse(stdout))
}

const storySchema = z.object({
  ending: z.string(),
  isRead: z.boolean(),
  verdict: z.string(),
  steps: z.array(z.object({ step: z.string(), at: z.string().optional(), says: z.string() })),
})
const why = (user: string, notification = notificationId) =>
  json(storySchema, 'why', { USER: user, NOTIFICATION: notification })

const send = async (userIds: readonly string[], title: string): Promise<string> => {
  const body = { userIds, title, message: 'Please call Ann on 9000000001.', type: 'General' }
  const answer = await callRoute(portal.address, notifications.sendNotification, { token: sender.token, body })
  return answer.notificationId
}

beforeAll(async () => {
  const password = await seedLearners(folder.path, 5)
  portal = await startPortal({ dataDir: folder.path, settings: { SEEN_GRACE_MS: '500' } })
  const learner = (n: number) => logIn(portal.address, seededEmail(n), password)
  sender = await logIn(portal.address, admin.email, admin.password)
  ;[watching, away, markingAll, outsider] = await Promise.all([learner(1), learner(2), learner(3), learner(4)])
  tab = await connectInbox({ address: portal.address, token: watching.token })
  notificationId = await send([watching.userId, away.userId, markingAll.userId], 'Come to room 12')
  await eventually('the tab has reported it', async () => (await why(watching.userId)).ending === 'live')
  await callRoute(portal.address, notifications.readNotification, {
    token: watching.token,
    params: { id: notificationId },
  })
  await callRoute(portal.address, notifications.readAllNotifications, { token: markingAll.token })
  await eventually('everybody is settled', async () => {
    const stories = await Promise.all([why(watching.userId), why(away.userId), why(markingAll.userId)])
    return stories.every(({ ending }) => !ending.startsWith('waiting') && !ending.startsWith('on-its-way'))
  })
})
afterAll(async () => {
  tab?.close()
  await portal?.stop()
  await folder.remove()
})

describe('make why', () => {
  it('tells how somebody saw and read it, in order, by id or by e-mail address', async () => {
    const story = await why(watching.email)
    expect(story).toMatchObject({ ending: 'live', isRead: true })
    expect(story.verdict).toMatch(/tab has shown it; read .* after it was sent, by itself/)
    expect(story.steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['asked', 'recorded', 'inbox', 'devices', 'outcome', 'read']),
    )
    const times = story.steps.flatMap(({ at }) => at ?? [])
    expect(times).toEqual(times.toSorted())
    expect(story.steps[0]?.says).toContain(sender.userId)
    expect(await why(watching.userId)).toEqual(story)
  })

  it('tells why somebody was not pushed, and what was read with all others', async () => {
    expect(await why(away.userId)).toMatchObject({ ending: 'skipped', isRead: false })
    expect((await why(away.userId)).verdict).toContain('no device')
    const story = await why(markingAll.userId)
    expect(story.isRead).toBe(true)
    expect(story.verdict).toContain('with all others')
  })

  it('answers what did not happen', async () => {
    expect(await why(outsider.userId)).toMatchObject({ ending: 'not-a-recipient', steps: expect.any(Array) })
    expect(await why(outsider.userId, outsider.userId)).toMatchObject({ ending: 'no-such-notification' })
    expect(await why(notificationId)).toMatchObject({ ending: 'no-such-user' })
    for (const settings of [
      { USER: 'root', NOTIFICATION: notificationId },
      { USER: 'nobody@example.com', NOTIFICATION: notificationId },
      { USER: away.userId, NOTIFICATION: '' },
    ]) {
      const { code, stderr } = await command('why', settings)
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  it('says it in words', async () => {
    const { stdout, code } = await command('why', { USER: watching.email, NOTIFICATION: notificationId })
    expect(code).toBe(0)
    expect(stdout).toContain('Recorded as')
    expect(stdout).not.toContain(watching.email)
  })
})

const eventsSchema = z.object({
  isMasked: z.boolean(),
  isCut: z.boolean(),
  events: z.array(z.object({ position: z.string(), stream: z.string(), type: z.string(), data: z.unknown() })),
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
    const recorded = await eventually('it is recorded', async () => {
      const { events } = await json(eventsSchema, 'events', { TYPE: 'PersonalDataShown' })
      return events[0]
    })
    expect(recorded.data).toMatchObject({
      reason: 'ticket 4711',
      what: { filter: { stream }, events: shown.events.length, userIds: [watching.userId] },
    })
  })

  it('goes on behind a position', async () => {
    const first = await json(eventsSchema, 'events', { CATEGORY: 'user', AFTER: '0000000000000000', LIMIT: '2' })
    expect(first.events).toHaveLength(2)
    const rest = await json(eventsSchema, 'events', { CATEGORY: 'user', AFTER: first.events[1]?.position ?? '' })
    expect(rest.events.every(({ position }) => position > (first.events[1]?.position ?? ''))).toBe(true)
    const { code, stderr } = await command('events', { AFTER: 'yesterday' })
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

const statusSchema = z.object({
  isHealthy: z.boolean(),
  problems: z.array(z.string()),
  logEnd: z.string(),
  engines: z.array(z.object({ engine: z.string(), status: z.string(), latencyMs: z.number() })),
  consumers: z.array(
    z.object({
      consumer: z.string(),
      generation: z.string().optional(),
      lag: z.object({ events: z.number(), ms: z.number() }),
      parked: z.number().optional(),
    }),
  ),
})

describe('make status', () => {
  it('says that all is well, where everybody stands, and ends with 0', async () => {
    const status = await eventually('nobody is behind', async () => {
      const seen = await json(statusSchema, 'status')
      return seen.consumers.every(({ lag }) => lag.events === 0) && seen
    })
    expect(status).toMatchObject({ isHealthy: true, problems: [] })
    expect(status.consumers.map(({ consumer }) => consumer)).toEqual(
      expect.arrayContaining(['inbox', 'users', 'ledger', 'auth-follow-up', 'push-tokens-of-ended-sessions']),
    )
    expect(status.consumers.find(({ consumer }) => consumer === 'inbox')).toMatchObject({
      generation: 'inbox-main',
      parked: 0,
    })
    const { code, stdout } = await command('status')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Healthy\./)
  })

  it('changes nothing by looking', async () => {
    const before = (await wholeInbox(portal.address, watching.token)).items
    await Promise.all([command('status'), command('events'), command('status')])
    expect((await wholeInbox(portal.address, watching.token)).items).toEqual(before)
    expect(await readFile(join(folder.path, 'master.key'), 'utf8')).toHaveLength(65)
  })
})

const deadLettersSchema = z.object({
  count: z.number(),
  oldest: z.array(
    z.object({
      projection: z.string(),
      partition: z.string(),
      type: z.string(),
      since: z.string(),
      reason: z.string(),
    }),
  ),
})

/** Writes, or takes away, what the inbox projection cannot read, as a fault of a disk or of a program would. */
const spoilInbox = async (userId: string, isSpoilt: boolean): Promise<void> => {
  const readModel = await openReadModel(`sqlite:${join(folder.path, 'read-models')}`, 'inbox-main')
  const partition = bucketKey(userId)
  const expected = await readModel.position('spoiler', partition)
  const place = { collection: 'inbox-head', key: userId } as const
  const write = isSpoilt ? ({ op: 'put', ...place, value: 'spoilt' } as const) : ({ op: 'delete', ...place } as const)
  const position = isSpoilt ? '1' : '2'
  const outcome = await readModel.commit({ projection: 'spoiler', partition, expected, position, writes: [write] })
  expect(outcome).toBe('committed')
  await readModel.close()
}

describe('make dead-letters', () => {
  it('shows what could not be applied, and retries it beside the running portal, on record', async () => {
    expect(await json(deadLettersSchema, 'dead-letters')).toMatchObject({ count: 0, oldest: [] })
    await spoilInbox(outsider.userId, true)
    const parkedId = await send([outsider.userId], 'For your eyes')
    const parked = await eventually('it is parked', async () => {
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
    expect((await command('status')).stdout).toContain('parked messages')

    const unasked = await command('dead-letters-retry')
    expect(unasked).toMatchObject({ code: 1, stdout: '' })
    expect(unasked.stderr).toContain('YES=1')
    const failing = await command('dead-letters-retry', { YES: '1', LIMIT: '1' })
    expect(failing.code).toBe(1)
    expect(failing.stdout).toContain('inbox: 0 applied, 1 failed again')

    await spoilInbox(outsider.userId, false)
    const retrying = await command('dead-letters-retry', { YES: '1' })
    expect(retrying).toMatchObject({ code: 0 })
    expect(retrying.stdout).toContain('No messages are parked any more.')
    expect((await wholeInbox(portal.address, outsider.token)).items.map(({ _id }) => _id)).toEqual([parkedId])
    const { data } = await eventually('it is recorded', async () => {
      const { events } = await json(eventsSchema, 'events', { TYPE: 'DeadLettersRetried' })
      return events[1]
    })
    expect(data).toMatchObject({ what: { projections: ['inbox'], failed: 0 } })
  })

  it('refuses what it does not know in one line', async () => {
    for (const settings of [{ P: 'nothing' }, { LIMIT: '100000' }]) {
      const { code, stderr } = await command('dead-letters-retry', settings)
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })
})

const findingsSchema = z.object({
  findings: z.array(z.object({ check: z.string(), result: z.string(), says: z.string(), todo: z.string().optional() })),
})

describe('make doctor', () => {
  const find = async (check: string, settings: Environment = {}) =>
    (await json(findingsSchema, 'doctor', settings)).findings.find((finding) => finding.check === check)

  it('finds the portal that runs, and its keys', async () => {
    expect(await find('data folder')).toMatchObject({ result: 'ok', says: expect.stringContaining('in use by') })
    expect(await find('master key')).toMatchObject({ result: 'ok' })
    expect(await find('event store')).toMatchObject({ result: 'ok' })
  })

  it('says in a line each what is wrong and what to do, and ends with 1', async () => {
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
