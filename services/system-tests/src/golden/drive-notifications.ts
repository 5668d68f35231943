import { type NotificationType, notificationTypes } from '@portal/contracts/notifications/notification'
import { listDevices, removeDevice } from '@portal/contracts/notifications/devices'
import { discardDraft, saveDraft } from '@portal/contracts/notifications/drafts'
import * as heldSends from '@portal/contracts/notifications/held-send'
import * as notifications from '@portal/contracts/notifications/http'
import { changePreferences } from '@portal/contracts/notifications/preferences'
import * as scheduledSends from '@portal/contracts/notifications/scheduled-send'
import * as templates from '@portal/contracts/notifications/templates'
import { callRoute, type SignedIn, wholeInbox } from '../testing/api-client.ts'
import { connectInbox } from '../testing/inbox-client.ts'
import { eventually } from '../testing/portal-process.ts'
import { driveActions } from './drive-actions.ts'

type Audience = {
  readonly admin: SignedIn
  /** Has a tab open, and reads. */
  readonly reader: SignedIn
  /** Has a device, and no tab. */
  readonly deviceOwner: SignedIn
  /** Is erased later. */
  readonly erased: SignedIn
  /** How many notices of enrollments the reader gets. */
  readonly notices: number
}

const patienceMs = 30_000

const untilSettled = (address: string, { token }: SignedIn, sends: number): Promise<unknown> =>
  eventually(
    'every send is settled',
    async () => {
      const query = { page: 1, limit: 100, source: 'admins' as const }
      const { notifications: sent } = await callRoute(address, notifications.listRecentNotifications, { token, query })
      return sent.length === sends && sent.every((item) => 'progress' in item && item.progress.pending === 0)
    },
    patienceMs,
  )

/** The device moves to its next owner. */
const registerDevice = async (address: string, { reader, deviceOwner }: Audience): Promise<void> => {
  for (const { token } of [reader, deviceOwner]) {
    await callRoute(address, notifications.savePushToken, { token, body: { token: 'golden-device' } })
  }
  const { token } = reader
  await callRoute(address, notifications.savePushToken, { token, body: { token: 'removed-device' } })
  const { devices } = await callRoute(address, listDevices, { token })
  for (const { id } of devices) await callRoute(address, removeDevice, { token, params: { id } })
}

/** Confirms two sends, of which one is taken back. Returns the id of the other, which is sent now. */
const holdTwo = async (address: string, { token }: SignedIn, userIds: SignedIn['userId'][]) => {
  const hold = async (title: string) => {
    const body = { userIds, title, message: `The text of ${title}`, type: 'General' as const, isUrgent: true }
    const headers = { 'idempotency-key': title.replaceAll(' ', '-') }
    return (await callRoute(address, heldSends.holdNotification, { token, headers, body })).notificationId
  }
  const [first, second] = [await hold('Taken back'), await hold('Confirmed')]
  await callRoute(address, heldSends.takeBackNotification, { token, params: { id: first } })
  await callRoute(address, heldSends.sendHeldNotification, { token, params: { id: second } })
  return second
}

/** One is sent or deleted, the other is still written. */
const keepDrafts = async (address: string, { token }: SignedIn): Promise<void> => {
  for (const id of ['0190abcd-0000-7000-8000-000000000001', '0190abcd-0000-7000-8000-000000000002']) {
    const body = { kind: 'message' as const, title: 'Begun', content: '{}', version: 0 }
    await callRoute(address, saveDraft, { token, params: { id }, body })
    if (id.endsWith('1')) await callRoute(address, discardDraft, { token, params: { id }, query: {} })
  }
}

/** Schedules a send, changes and discards it. */
const scheduleInVain = async (address: string, { token }: SignedIn, userIds: SignedIn['userId'][]): Promise<void> => {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { userIds, title: 'Scheduled', message: 'The text of Scheduled', type: 'General' as const, sendAt }
  const { notificationId: id } = await callRoute(address, notifications.sendNotification, { token, body })
  const changed = { ...body, audience: { everyone: true } as const, userIds: undefined, version: 1 }
  const { changeScheduledNotification, discardScheduledNotification } = scheduledSends
  await callRoute(address, changeScheduledNotification, { token, params: { id }, body: changed })
  await callRoute(address, discardScheduledNotification, { token, params: { id } })
}

const keepTemplate = async (address: string, { token }: SignedIn): Promise<void> => {
  const body = { name: 'Golden', title: 'Golden', message: 'The text of a template', type: 'General' as const }
  const { template } = await callRoute(address, templates.createTemplate, { token, body })
  const params = { id: template._id }
  const changed = { ...body, name: 'Golden again', version: template.version }
  await callRoute(address, templates.changeTemplate, { token, params, body: changed })
  await callRoute(address, templates.recordTemplateUse, { token, params })
  await callRoute(address, templates.deleteTemplate, { token, params })
}

/** A notification of each type: seen in a tab, pushed and skipped; read one by one, with a mark-all, and not at all; recalled and cancelled. */
export const driveNotifications = async (address: string, audience: Audience): Promise<void> => {
  const { admin, reader, deviceOwner, erased, notices } = audience
  const userIds = [reader, deviceOwner, erased].map(({ userId }) => userId)
  const send = async (title: string, type: NotificationType, headers: Readonly<Record<string, string>> = {}) => {
    const button = { label: 'See the timetable', url: 'https://example.com/timetable' }
    // Others would wait, because the device gets more than five.
    const isUrgent = type !== 'System Maintenance'
    const translation = { lang: 'hi', title: 'परीक्षा', message: 'समय सारणी' } as const
    const parts = type === 'Exam' ? { button, translation } : {}
    const body = { userIds, title, message: `The text of ${title}`, type, isUrgent, ...parts }
    const route = notifications.sendNotification
    return (await callRoute(address, route, { token: admin.token, headers, body })).notificationId
  }
  await registerDevice(address, audience)
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Asia/Kolkata' }
  const wanted = { push: { Exam: true }, email: { General: false }, quietHours }
  await callRoute(address, changePreferences, { token: erased.token, body: wanted })
  await keepDrafts(address, admin)
  await keepTemplate(address, admin)
  const tab = await connectInbox({ address, token: reader.token })
  try {
    const ids: string[] = []
    for (const type of notificationTypes) ids.push(await send(`About ${type}`, type))
    ids.push(await send('Sent once', 'General', { 'idempotency-key': 'golden-send' }))
    await send('Sent once', 'General', { 'idempotency-key': 'golden-send' })
    ids.push(await holdTwo(address, admin, userIds))
    await scheduleInVain(address, admin, userIds)
    await eventually('the tab has all', () => tab.items().length === ids.length + notices, patienceMs)
    await untilSettled(address, admin, ids.length)
    for (const { token } of [reader, deviceOwner]) {
      await callRoute(address, notifications.readNotification, { token, params: { id: ids[0] ?? '' } })
    }
    const exam = ids[notificationTypes.indexOf('Exam')] ?? ''
    await callRoute(address, notifications.clickNotification, { token: reader.token, params: { id: exam } })
    await callRoute(address, notifications.readAllNotifications, { token: reader.token })
    const { token } = deviceOwner
    await callRoute(address, notifications.unreadNotification, { token, params: { id: ids[0] ?? '' } })
    await send('After the mark-all', 'General')
    await untilSettled(address, admin, ids.length + 1)
    await eventually('it is in the inbox', async () => (await wholeInbox(address, reader.token)).unread === 1)
    const [exported = '', recalled = ''] = ids
    await driveActions(address, admin, { exported, recalled, pending: await send('Cancelled', 'General') })
    await untilSettled(address, admin, ids.length + 2)
  } finally {
    tab.close()
  }
}
