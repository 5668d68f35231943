/** @module-tag verify */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { listRecentNotifications, savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '@portal/engines/free-port'
import { callRoute, logIn, registerLearner, type SignedIn } from './testing/api-client.ts'
import { type DistributedPortal, startDistributedPortal } from './testing/distributed-portal.ts'
import {
  admin as adminAccount,
  eventually,
  inheritedEnvironment,
  nodeBinary,
  readDevMailbox,
  repositoryRoot,
} from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

const program = join(repositoryRoot, 'services/processes/src/delivery.ts')
const graceMs = '1000'

let portal: DistributedPortal
let standby: ChildProcess
let admin: SignedIn
let learner: SignedIn

/** A second delivery process beside the portal's own, as an operator would add one. */
const startStandby = async (): Promise<ChildProcess> => {
  const inherited = inheritedEnvironment()
  const settings = { ...portal.settings, PROCESS_NAME: 'delivery-2', HOST: '127.0.0.1', PORT: String(await freePort()) }
  const child = spawn(nodeBinary, [program], {
    cwd: repositoryRoot,
    env: { ...inherited, ...settings, SEEN_GRACE_MS: graceMs },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

beforeAll(async () => {
  portal = await startDistributedPortal(testEngines(), { settings: { SEEN_GRACE_MS: graceMs } })
  standby = await startStandby()
  admin = await logIn(portal.address, adminAccount.email, adminAccount.password)
  learner = await registerLearner(portal, 1)
  await callRoute(portal.address, savePushToken, { token: learner.token, body: { token: 'the-device' } })
}, 150_000)
afterAll(async () => {
  standby?.kill('SIGTERM')
  if (standby) expect(await once(standby, 'exit')).toEqual([0, null])
  expect(await portal?.stop()).toBe(0)
}, 60_000)

const send = async (title: string): Promise<string> => {
  const body = { userIds: [learner.userId], title, message: 'Please come to room 12.', type: 'General' }
  return (await callRoute(portal.address, sendNotification, { token: admin.token, body })).notificationId
}

/** Pushes per notification. */
const pushesOf = async (notificationIds: readonly string[]): Promise<readonly number[]> => {
  const lines = await readDevMailbox(portal.dataDir)
  return notificationIds.map((id) => lines.filter(({ link }) => link?.endsWith(id)).length)
}

const untilPushed = (notificationIds: readonly string[]): Promise<unknown> =>
  eventually('all are pushed', async () => (await pushesOf(notificationIds)).every((count) => count > 0), 30_000)

/** A push whose process hangs before recording it may be repeated by the other process. That is permitted. */
const untilRecorded = (notificationIds: readonly string[]): Promise<unknown> =>
  eventually('all outcomes are recorded', async () => {
    const { notifications } = await callRoute(portal.address, listRecentNotifications, { token: admin.token })
    const settled = notifications.filter((sent) => 'progress' in sent && sent.progress.pushed === 1)
    return notificationIds.every((id) => settled.some(({ _id }) => _id === id))
  })

it('one of two processes delivers; the other takes over when it hangs, and nothing is pushed twice when it resumes', async () => {
  const first = [await send('One'), await send('Two')]
  await untilPushed(first)
  expect(await pushesOf(first)).toEqual([1, 1])
  await untilRecorded(first)

  const hanging = await portal.pidOf('delivery')
  process.kill(hanging, 'SIGSTOP')
  const meanwhile = [await send('Three'), await send('Four')]
  await untilPushed(meanwhile)
  process.kill(hanging, 'SIGCONT')

  // Whatever the one that hung still had in its hands would be out before this.
  const later = [await send('Five')]
  await untilPushed(later)
  expect(await pushesOf([...first, ...meanwhile, ...later])).toEqual([1, 1, 1, 1, 1])
}, 120_000)
