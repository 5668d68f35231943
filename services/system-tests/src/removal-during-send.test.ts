import { deactivatePerson, eraseOwnAccount, reactivatePerson } from '@portal/contracts/auth/accounts'
import {
  getCampaign,
  getPushKey,
  listRecipients,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, registeredPassword, registerLearner, type SignedIn } from './testing/api-client.ts'
import { startDistributedPortal } from './testing/distributed-portal.ts'
import { startLocalPushService } from './testing/local-push-service.ts'
import { createOperator, type Operator } from './testing/operator.ts'
import { admin, newDataFolder, readDevMailbox, startPortal } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

/** A portal whose pushes can be held up. */
type Sender = {
  readonly address: string
  readonly dataDir: string
  readonly operator: Operator
  /** A push token of a new device. */
  subscribe(person: SignedIn): Promise<string>
  /** How often each notification was offered to the push provider for this token. */
  pushesTo(token: string): Promise<Readonly<Record<string, number>>>
  /** No push is accepted while the work runs. `sent` resolves once delivery has begun, as far as it can. */
  whileHeld<T>(work: (sent: (tokens: readonly string[]) => Promise<void>) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const settings = { SEEN_GRACE_MS: '0' }

const countsOf = (ids: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(ids, (id) => id)].map(([id, { length }]) => [id, length]))

/** The push service is down. */
const standalone = async (): Promise<Sender> => {
  const folder = await newDataFolder()
  const pushService = await startLocalPushService()
  const portal = await startPortal({ dataDir: folder.path, settings: { ...settings, ...pushService.settings } })
  const receivedBy = (token: string) => pushService.received.filter((push) => push.token === token)
  return {
    address: portal.address,
    dataDir: folder.path,
    operator: createOperator({ dataDir: folder.path, settings: {} }),
    subscribe: async (person) => pushService.subscribe((await callRoute(portal.address, getPushKey, person)).key),
    pushesTo: async (token) => countsOf(receivedBy(token).map(({ data }) => data['notificationId'] ?? '')),
    whileHeld: (work) =>
      pushService.whileDown(() =>
        // Not each of them: after some failures the portal tries one at a time.
        work((tokens) => until(() => expect(tokens.some((token) => receivedBy(token).length > 0)).toBe(true))),
      ),
    stop: async () => {
      expect(await portal.stop()).toBe(0)
      await pushService.stop()
      await folder.remove()
    },
  }
}

/** The process that delivers hangs. */
const distributed = async (): Promise<Sender> => {
  const portal = await startDistributedPortal(testEngines(), { settings })
  const { dataDir } = portal
  return {
    address: portal.address,
    dataDir,
    operator: createOperator({ dataDir, settings: portal.settings }),
    subscribe: async ({ userId }) => `device-of-${userId}`,
    pushesTo: async (token) => {
      const lines = await readDevMailbox(dataDir)
      return countsOf(lines.filter(({ to }) => to === token).map(({ link }) => link?.split('/').at(-1) ?? ''))
    },
    whileHeld: (work) => portal.whileHanging('delivery', () => work(async () => {})),
    stop: async () => void expect(await portal.stop()).toBe(0),
  }
}

const addsUp = (start: () => Promise<Sender>) => {
  let portal: Sender
  let root: SignedIn
  const learners: { readonly person: SignedIn; readonly token: string }[] = []

  beforeAll(async () => {
    portal = await start()
    root = await logIn(portal.address, admin.email, admin.password)
    for (let n = 1; n <= 5; n++) {
      const person = await registerLearner(portal, n)
      const token = await portal.subscribe(person)
      await callRoute(portal.address, savePushToken, { token: person.token, body: { token } })
      learners.push({ person, token })
    }
  }, 150_000)
  afterAll(() => portal?.stop(), 60_000)

  const sendTo = async (people: typeof learners): Promise<string> => {
    const userIds = people.map(({ person }) => person.userId)
    const body = { userIds, title: 'Room 12', message: 'Please come.', type: 'General', isUrgent: true }
    return (await callRoute(portal.address, sendNotification, { token: root.token, body })).notificationId
  }
  const outcomesOf = async (id: string) => {
    const given = { token: root.token, params: { id } }
    const { counts, reasons, pagination } = await callRoute(portal.address, listRecipients, given)
    return { counts, reasons: reasons.map(({ status, reason, count }) => [status, reason, count]), pagination }
  }
  const mailsTo = async (email: string) => (await readDevMailbox(portal.dataDir)).filter(({ to }) => to === email)

  it('of all recipients, those who were erased or deactivated meanwhile end as cancelled, and get nothing', async () => {
    const { address } = portal
    const [erased, deactivated, ...others] = learners
    if (!erased || !deactivated) throw new Error('no learners')
    const gone = [erased, deactivated]
    const pushesToGone = () => Promise.all(gone.map(({ token }) => portal.pushesTo(token)))

    const { id, before } = await portal.whileHeld(async (sent) => {
      const notificationId = await sendTo(learners)
      await sent(learners.map(({ token }) => token))
      expect(await outcomesOf(notificationId)).toMatchObject({ counts: { pending: 5 } })
      const body = { password: registeredPassword }
      await callRoute(address, eraseOwnAccount, { token: erased.person.token, body })
      const params = { id: deactivated.person.userId }
      await callRoute(address, deactivatePerson, { token: root.token, params, body: { reason: 'Left' } })
      return {
        id: notificationId,
        before: { pushes: await pushesToGone(), mails: await mailsTo(deactivated.person.email) },
      }
    })

    await until(async () =>
      expect(await outcomesOf(id)).toMatchObject({
        counts: { pending: 0, live: 0, pushed: 3, skipped: 0, failed: 0, cancelled: 2 },
        reasons: expect.arrayContaining([
          ['cancelled', 'account deleted', 1],
          ['cancelled', 'account deactivated', 1],
        ]),
        pagination: { total: 5 },
      }),
    )
    expect(await pushesToGone()).toEqual(before.pushes)
    expect(await mailsTo(erased.person.email)).toEqual([])
    expect(await mailsTo(deactivated.person.email)).toEqual(before.mails)

    const pushesToOthers = () => Promise.all(others.map(({ token }) => portal.pushesTo(token)))
    const pushed = await pushesToOthers()
    expect(await portal.operator.command('replay')).toMatchObject({ code: 0 })
    const params = { id: deactivated.person.userId }
    await callRoute(address, reactivatePerson, { token: root.token, params })
    // What a replay would push again would be out before what is sent after it.
    const later = await sendTo(others)
    await until(async () => expect(await outcomesOf(later)).toMatchObject({ counts: { pushed: 3 } }))
    expect(await pushesToOthers()).toEqual(pushed.map((counts) => ({ ...counts, [later]: 1 })))
    expect(await pushesToGone()).toEqual(before.pushes)
    expect((await outcomesOf(id)).counts).toMatchObject({ pushed: 3, cancelled: 2 })
    const { resendable } = await callRoute(address, getCampaign, { token: root.token, params: { id } })
    expect(resendable).toBe(0)
  })
}

describe('a send of one process while the push service is down', { timeout: 180_000 }, () => {
  addsUp(standalone)
})

describe('a send of six processes while delivery hangs', { timeout: 180_000, tags: ['verify'] }, () => {
  addsUp(distributed)
})
