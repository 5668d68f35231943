import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import { freePort } from '@portal/engines/free-port'
import { callRoute, logIn, seededEmail, type SignedIn, wholeInbox } from './api-client.ts'
import { admin, eventually, newDataFolder, readDevMailbox, seedLearners, startPortal } from './portal-process.ts'

const settleTimeoutMs = 60_000
const portalSettings = { SEEN_GRACE_MS: '300' }

/** Files that a backup does not contain; the operator stores them separately. */
const filesOutsideBackup = ['master.key', 'session-keys.json', 'erasures.jsonl'] as const

export const copyFilesOutsideBackup = (from: string, to: string): void => {
  for (const name of filesOutsideBackup)
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
}

/** The history does not wait for the names of senders, which are decrypted after a start. */
const readNamedHistory = async (address: string, { token }: SignedIn) => {
  const read = () =>
    callRoute(address, notifications.listRecentNotifications, { token, query: { page: 1, limit: 100 } })
  const isNamed = async () => (await read()).notifications.every((item) => 'sentBy' in item)
  await eventually('the history names its senders', isNamed, settleTimeoutMs)
  return read()
}

/** Everything that users see, for comparison with another portal. */
export const readUserViews = async (address: string, sender: SignedIn, learners: readonly SignedIn[]) => {
  const inboxes = await Promise.all(learners.map(({ token }) => wholeInbox(address, token)))
  const mine = await Promise.all(learners.map(({ token }) => callRoute(address, catalog.listMyPrograms, { token })))
  const history = await readNamedHistory(address, sender)
  const programs = await callRoute(address, catalog.listPrograms)
  return { inboxes, mine, history, programs, push: await callRoute(address, notifications.getPushKey, sender) }
}

/**
 * A standalone portal with history: learners have read some notifications, one learner is offline with a device, one is
 * enrolled in a program. No delivery is pending.
 */
export const startPortalWithHistory = async (learnerCount: number, engines: Readonly<Record<string, string>> = {}) => {
  const folder = await newDataFolder()
  const port = await freePort()
  const password = await seedLearners(folder.path, learnerCount)
  const start = (dataDir = folder.path, settings: Readonly<Record<string, string>> = {}) =>
    startPortal({ dataDir, port, settings: { ...portalSettings, ...engines, ...settings } })
  let portal = await start()
  const { address } = portal
  const sender = await logIn(address, admin.email, admin.password)
  const learners: SignedIn[] = []
  for (let number = 1; number <= learnerCount; number++)
    learners.push(await logIn(address, seededEmail(number), password))

  const send = async (title: string, to: readonly SignedIn[] = learners): Promise<string> => {
    const body = {
      userIds: to.map(({ userId }) => userId),
      title,
      message: 'Text',
      type: 'General' as const,
      isUrgent: true,
    }
    const sent = await callRoute(address, notifications.sendNotification, { token: sender.token, body })
    return sent.notificationId
  }
  const pushesOf = async (ids: readonly string[], dataDir = folder.path): Promise<readonly number[]> => {
    const lines = await readDevMailbox(dataDir)
    return ids.map((id) => lines.filter(({ link }) => link?.endsWith(id)).length)
  }
  const untilSettled = (ids: readonly string[]) =>
    eventually(
      'every recipient has an outcome',
      async () => {
        const { history } = await readUserViews(address, sender, [])
        const isSettled = (id: string) =>
          history.notifications.some((item) => item._id === id && 'progress' in item && item.progress.pending === 0)
        return ids.every(isSettled)
      },
      settleTimeoutMs,
    )

  const [away, reader] = learners
  if (away === undefined || reader === undefined) throw new Error('at least two learners are needed')
  await callRoute(address, notifications.savePushToken, { token: away.token, body: { token: 'the-device' } })
  const sent: string[] = []
  for (let n = 0; n < 5; n++) sent.push(await send(`A${n}`))
  await callRoute(address, notifications.readNotification, { token: reader.token, params: { id: sent[1] ?? '' } })
  for (const { token } of learners.slice(2)) await callRoute(address, notifications.readAllNotifications, { token })
  const { data } = await callRoute(address, catalog.createProgram, {
    token: sender.token,
    body: { programName: 'Minor in AI' },
  })
  await callRoute(address, catalog.enrollInProgram, { token: reader.token, params: { id: data._id } })
  const notice = await eventually('the learner is notified of the enrollment', async () => {
    const inbox = await callRoute(address, notifications.listNotifications, { token: reader.token })
    return inbox.notifications.find(({ title }) => title === 'You are enrolled in Minor in AI')?._id
  })
  await untilSettled([...sent, notice])

  return {
    folder,
    port,
    address,
    password,
    sender,
    learners,
    sent,
    send,
    pushesOf,
    untilSettled,
    start,
    running: () => portal,
    restart: async (...given: Parameters<typeof start>) => {
      await portal.stop()
      portal = await start(...given)
      return portal
    },
    remove: async () => {
      await portal.kill()
      await folder.remove()
    },
  }
}
export type PortalWithHistory = Awaited<ReturnType<typeof startPortalWithHistory>>
