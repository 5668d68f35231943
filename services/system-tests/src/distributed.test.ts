import { deactivatePerson, eraseOwnAccount } from '@portal/contracts/auth/accounts'
import { getProfile } from '@portal/contracts/auth/http'
import {
  createProgram,
  enrollInProgram,
  listMyPrograms,
  listUniversities,
  removeProgram,
  renameUniversity,
} from '@portal/contracts/catalog/http'
import { confirmPayments, enrollLearners } from '@portal/contracts/catalog/learners'
import { listDevices, testDevice } from '@portal/contracts/notifications/devices'
import {
  getPushKey,
  listRecentNotifications,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { getPreferences } from '@portal/contracts/notifications/preferences'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callRoute,
  logIn,
  registeredPassword,
  registerLearner,
  send as sendRaw,
  type SignedIn,
  wholeInbox,
} from './testing/api-client.ts'
import {
  deleteKafkaRecords,
  type DistributedPortal,
  processNames,
  startDistributedPortal,
} from './testing/distributed-portal.ts'
import { connectInbox, type InboxClient } from './testing/inbox-client.ts'
import { type LocalPushService, startLocalPushService } from './testing/local-push-service.ts'
import { admin as adminAccount, eventually, readDevMailbox } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

let portal: DistributedPortal
let pushService: LocalPushService
let admin: SignedIn
let learners: readonly SignedIn[]
const clients: InboxClient[] = []

beforeAll(async () => {
  // A send waits for open tabs long enough for a busy machine, so that its answer counts all of them.
  pushService = await startLocalPushService()
  const settings = { ...pushService.settings, SEEN_GRACE_MS: '1500', SEND_WAIT_MS: '10000' }
  portal = await startDistributedPortal(testEngines(), { settings })
  admin = await logIn(portal.address, adminAccount.email, adminAccount.password)
  learners = [await registerLearner(portal, 1), await registerLearner(portal, 2)]
}, 150_000)
afterAll(async () => {
  for (const client of clients) client.close()
  expect(await portal.stop()).toBe(0)
  await pushService.stop()
}, 60_000)

const gatewayOf = ({ socket }: InboxClient): string => socket.io.engine.id.split('.')[0] ?? ''

/** A tab at that gateway. The balancer distributes round robin. */
const connectAt = async (gateway: string, { token }: SignedIn, visible = true): Promise<InboxClient> =>
  eventually(`a socket at ${gateway}`, async () => {
    const client = await connectInbox({ address: portal.address, token, visible })
    if (gatewayOf(client) !== gateway) return void client.close()
    clients.push(client)
    return client
  })

const send = (people: readonly SignedIn[], title: string) =>
  callRoute(portal.address, sendNotification, {
    token: admin.token,
    body: { userIds: people.map(({ userId }) => userId), title, message: 'Please come to room 12.', type: 'General' },
  })

describe('the portal as separate processes', () => {
  it('has six processes, and each reports its id', async () => {
    const pids = await Promise.all(processNames.map((name) => portal.pidOf(name)))
    expect(new Set(pids).size).toBe(6)
  })

  it('delivers a send once to learners at both gateways, and counts views', async () => {
    const [ada, ben] = learners
    if (!ada || !ben) throw new Error('no learners')
    const [first, second, third] = [
      await connectAt('gateway-1', ada),
      await connectAt('gateway-2', ada),
      await connectAt('gateway-2', ben),
    ]
    const { notificationId, successCount } = await send([ada, ben], 'The hall is closed')
    expect(successCount).toBe(3)
    for (const client of [first, second, third]) {
      await eventually('it has arrived', () => client.arrivals().get(notificationId) === 1)
      expect(client.unread()).toBe(1)
    }
    for (const learner of [ada, ben]) {
      const { items, unread } = await wholeInbox(portal.address, learner.token)
      expect([items.map(({ _id }) => _id), unread]).toEqual([[notificationId], 1])
    }
    for (const client of [first, second, third]) client.close()
  })

  it('brings what an admin does to the catalog, and an enrollment and its payment, to the tabs at both gateways', async () => {
    const [ada, ben] = learners
    if (!ada || !ben) throw new Error('no learners')
    const tabs = [
      await connectAt('gateway-1', ada),
      await connectAt('gateway-2', ada),
      await connectAt('gateway-2', ben),
    ]
    const received = tabs.map(({ socket }) => {
      const changes: string[] = []
      socket.on('catalog:changed', ({ kind }) => void changes.push(kind))
      socket.on('enrollment:changed', ({ enrollment }) => {
        changes.push(enrollment.feeAccount ? enrollment.paymentStatus : enrollment.programName)
      })
      return changes
    })
    const { token } = admin
    const body = { programName: 'Minor in AI' }
    const { data: program } = await callRoute(portal.address, createProgram, { token, body })
    await eventually('all know of it', () => received.every((changes) => changes.length === 1))
    const params = { id: program._id }
    const { data: enrollment } = await callRoute(portal.address, enrollInProgram, { token: ada.token, params })
    await eventually('her tabs know of the enrollment', () =>
      received.slice(0, 2).every((changes) => changes.length === 2),
    )
    // The catalog finds her through the notifications service.
    const payment = { contacts: [ada.email, 'nobody@example.com'], amount: 4_500_000, paidOn: '2026-11-20' }
    const { rows } = await callRoute(portal.address, confirmPayments, { token, params, body: payment })
    expect(rows.map(({ fate }) => fate)).toEqual(['confirmed', 'unknown'])
    await eventually('her tabs know of the payment', () =>
      received.slice(0, 2).every((changes) => changes.at(-1) === 'Completed'),
    )
    await callRoute(portal.address, removeProgram, { token, params })
    await eventually('all know that it is gone', () =>
      received.every((changes) => changes.at(-1) === 'program-removed'),
    )
    const hers = ['program-saved', 'Minor in AI', 'Completed', 'program-removed']
    expect(received).toEqual([hers, hers, ['program-saved', 'program-removed']])
    await until(async () => {
      const { programs } = await callRoute(portal.address, listMyPrograms, { token: ada.token })
      expect(programs).toMatchObject([{ ...enrollment, paymentStatus: 'Completed', withdrawnAt: expect.any(String) }])
    })
    for (const { close } of tabs) close()
  })

  it('pushes only notifications that were not seen at any gateway', async () => {
    const [ada, ben] = learners
    if (!ada || !ben) throw new Error('no learners')
    for (const [{ token }, device] of [
      [ada, 'device-ada'],
      [ben, 'device-ben'],
    ] as const) {
      await callRoute(portal.address, savePushToken, { token, body: { token: device } })
    }
    const tab = await connectAt('gateway-2', ada)
    const title = 'Fees are due'
    // The grace period begins when the delivery process learns of the send: after the tab has reported, however slow that was.
    const { answering } = await portal.whileHanging('delivery', async () => {
      const sending = send([ada, ben], title)
      await eventually('the tab shows it', () => tab.items().some((item) => item.title === title))
      // Messages of a socket are handled in order: with this answer, the gateway has the report.
      await tab.socket.emitWithAck('inbox:resume', { since: tab.seq() })
      return { answering: sending }
    })
    const { notificationId } = await answering
    await until(async () => {
      const { notifications } = await callRoute(portal.address, listRecentNotifications, { token: admin.token })
      const sent = notifications.find(({ _id }) => _id === notificationId)
      expect(sent).toMatchObject({ progress: { pending: 0, live: 1, pushed: 1 } })
    })
    const pushes = (await readDevMailbox(portal.dataDir)).filter(({ link }) => link?.endsWith(notificationId))
    expect(pushes.map(({ to }) => to)).toEqual(['device-ben'])
  })

  it('fills in placeholders for each learner at both gateways, which have no keys of personal data', async () => {
    const [ada, ben] = learners
    if (!ada || !ben) throw new Error('no learners')
    const tabs = [await connectAt('gateway-1', ada), await connectAt('gateway-2', ben)]
    const { notificationId } = await send([ada, ben], 'For {{name}}')
    for (const [index, tab] of tabs.entries()) {
      await eventually('it has arrived', () => tab.arrivals().get(notificationId) === 1)
      expect(tab.items().find(({ _id }) => _id === notificationId)?.title).toBe(`For Learner ${index + 1}`)
      tab.close()
    }
  })

  it('ends the sockets and requests of a deactivated and of a deleted account at both gateways', async () => {
    const { address } = portal
    const { token } = admin
    const routes = ['/user/profile', '/user/my-programs', '/notifications']
    const statusesOf = (old: string) =>
      Promise.all(routes.map(async (path) => (await sendRaw(address, 'GET', path, { token: old })).status))
    const ends = [
      ({ userId }: SignedIn) =>
        callRoute(address, deactivatePerson, { token, params: { id: userId }, body: { reason: 'Left' } }),
      (person: SignedIn) =>
        callRoute(address, eraseOwnAccount, { token: person.token, body: { password: registeredPassword } }),
    ]
    for (const [index, end] of ends.entries()) {
      const person = await registerLearner(portal, 5 + index)
      expect(await statusesOf(person.token)).toEqual([200, 200, 200])
      const tabs = [await connectAt('gateway-1', person), await connectAt('gateway-2', person)]
      const reasons: string[] = []
      for (const { socket } of tabs) socket.once('disconnect', (reason) => void reasons.push(reason))
      const beginsAtMs = performance.now()
      const since = () => `${Math.round(performance.now() - beginsAtMs)} ms`
      await end(person)
      const answered = since()
      await until(() => expect(reasons).toEqual(['io server disconnect', 'io server disconnect']))
      const disconnected = since()
      // The balancer distributes round robin, so both gateways are asked.
      await until(async () => {
        for (let n = 0; n < 4; n++) expect(await statusesOf(person.token)).toEqual([401, 401, 401])
      })
      process.stdout.write(
        `answered after ${answered}, sockets ended after ${disconnected}, 401 everywhere after ${since()}\n`,
      )
      for (const { close } of tabs) close()
    }
  })

  it('pushes from one process to a browser that subscribed with the key of another', async () => {
    const learner = await registerLearner(portal, 3)
    const { key, provider } = await callRoute(portal.address, getPushKey, learner)
    expect(provider).toBe('web-push')
    const token = pushService.subscribe(key)
    await callRoute(portal.address, savePushToken, { token: learner.token, body: { token } })
    const { notificationId } = await send([learner], 'The room has changed')
    await until(() => {
      const received = pushService.received.map(({ data }) => [data['notificationId'], data['title']])
      expect(received).toEqual([[notificationId, 'The room has changed']])
    })
  })

  it('pushes a test from the process that delivers', async () => {
    const { token } = await registerLearner(portal, 4)
    const { key } = await callRoute(portal.address, getPushKey, { token })
    const subscription = pushService.subscribe(key)
    await callRoute(portal.address, savePushToken, { token, body: { token: subscription } })
    const { devices } = await callRoute(portal.address, listDevices, { token })
    const [id = ''] = devices.map((device) => device.id)
    const { outcome, testId } = await callRoute(portal.address, testDevice, { token, params: { id } })
    const received = pushService.received.filter((push) => push.token === subscription)
    expect([outcome, received.map(({ data }) => data['notificationId'])]).toEqual(['accepted', [testId]])
  })

  it('learns from the processes that deliver whether the portal has a mail server', async () => {
    const { emailAvailable } = await callRoute(portal.address, getPreferences, { token: admin.token })
    expect(emailAvailable).toBe(false)
  })

  it('takes learners along when an admin renames their university', async () => {
    const { address } = portal
    const [ada] = learners
    if (!ada) throw new Error('no learners')
    const universityOf = async () => (await callRoute(address, getProfile, { token: ada.token })).user.universityName
    const [before, listed] = [await universityOf(), await callRoute(address, listUniversities)]
    const params = { id: listed.find(({ name }) => name === before)?._id ?? '' }
    const rename = (name: string) =>
      callRoute(address, renameUniversity, { token: admin.token, params, body: { name } })
    await rename('Eastbrook')
    await until(async () => expect(await universityOf()).toBe('Eastbrook'))
    await rename(before)
  })

  it('enrolls an invited person who registers while the catalog hangs, also if Kafka deletes the messages', async () => {
    const { address } = portal
    const { token } = admin
    const body = { programName: 'Minor of Guests' }
    const { data: program } = await callRoute(address, createProgram, { token, body })
    const params = { id: program._id }
    const contacts = ['learner-7@example.com']
    const { rows } = await callRoute(address, enrollLearners, { token, params, body: { contacts } })
    expect(rows.map(({ fate }) => fate)).toEqual(['invited'])
    const guest = await portal.whileHanging('catalog', async () => {
      const registered = await registerLearner(portal, 7)
      await deleteKafkaRecords(portal.settings)
      return registered
    })
    await until(
      async () => {
        const { programs } = await callRoute(address, listMyPrograms, { token: guest.token })
        expect(programs).toMatchObject([{ programName: 'Minor of Guests' }])
      },
      { timeoutMs: 60_000 },
    )
  })
})
