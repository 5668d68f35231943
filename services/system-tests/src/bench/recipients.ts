import { listRecentNotifications, listRecipients } from '@portal/contracts/notifications/http'
import { callRoute } from '../testing/api-client.ts'
import type { BenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, quantile, type Scale } from './measure.ts'

const targetMs = 50
const rounds = 3
const pageSize = 50

/** Pages through the recipients of the newest campaign, which went to all learners. */
export const benchRecipients = async (portal: BenchPortal, scale: Scale): Promise<Comparison[]> => {
  const { address, adminToken: token } = portal
  const newest = await callRoute(address, listRecentNotifications, { token, query: { page: 1, limit: 1 } })
  const [campaign] = newest.notifications
  if (!campaign) throw new Error('no campaign was sent')
  const lastPage = Math.ceil(scale.audienceLearners / pageSize)
  let page = 0
  const readPage = () => {
    page = (page % lastPage) + 1
    return callRoute(address, listRecipients, { token, params: { id: campaign._id }, query: { page, limit: pageSize } })
  }
  await readPage()
  const medians: number[] = []
  for (let round = 0; round < rounds; round++)
    medians.push(quantile(await measureLatencies(scale.roundMs, readPage), 0.5))
  return [
    {
      name: `page of ${scale.audienceLearners.toLocaleString('en')} recipients`,
      limitName: 'target',
      unit: 'ms',
      portal: medians,
      limit: medians.map(() => targetMs),
      reach: { atMost: 1 },
    },
  ]
}
