import { exportAudit } from '@portal/contracts/notifications/audit'
import { exportLearners } from '@portal/contracts/notifications/learners'
import { exportPeople } from '@portal/contracts/notifications/people'
import { listPrograms } from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { buildUrl } from '@portal/contracts/shared/route'
import { callRoute } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import type { OfflineSends } from './record-offline.ts'

type Caller = { readonly token: string }
type Sent = { readonly exported: string; readonly pending: string; readonly recalled: string }

const reason = 'For the golden folder'

/** `path` is that of a file. */
const exportFile = async (address: string, { token }: Caller, path: string): Promise<void> => {
  const url = `${address}${path}`
  const { ok, status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!ok) throw new Error(`the export was answered with ${status}`)
}

/** Exports the recipients of a notification, the list of who did what, users and learners, cancels another while it is pending, and recalls a third. */
export const driveActions = async (address: string, admin: Caller, sent: Sent): Promise<void> => {
  const { token } = admin
  await callRoute(address, notifications.cancelNotification, { token, params: { id: sent.pending }, body: { reason } })
  await callRoute(address, notifications.recallNotification, { token, params: { id: sent.recalled }, body: { reason } })
  await exportFile(address, admin, buildUrl(notifications.exportRecipients, { params: { id: sent.exported } }))
  await exportFile(address, admin, exportAudit.path)
  await exportFile(address, admin, exportPeople.path)
  const [program] = await callRoute(address, listPrograms)
  await exportFile(address, admin, buildUrl(exportLearners, { params: { id: program?._id } }))
}

const progressOf = async (address: string, { token }: Caller, id: string): Promise<CampaignProgress | undefined> => {
  const query = { page: 1, limit: 100 }
  const { notifications: sent } = await callRoute(address, notifications.listRecentNotifications, { token, query })
  const item = sent.find(({ _id }) => _id === id)
  return item && 'progress' in item ? item.progress : undefined
}

/** Resends the push that failed, and waits until the cancelled plan is withheld from its recipients. */
export const driveResend = async (address: string, admin: Caller, { failed, cancelled }: OfflineSends) => {
  await eventually('the push has failed', async () => (await progressOf(address, admin, failed))?.failed === 1)
  const params = { id: failed }
  await callRoute(address, notifications.resendNotification, { token: admin.token, params, body: { reason } })
  await eventually('the push succeeds', async () => (await progressOf(address, admin, failed))?.pushed === 1)
  await eventually('the plan is withheld', async () => (await progressOf(address, admin, cancelled))?.cancelled === 1)
}
