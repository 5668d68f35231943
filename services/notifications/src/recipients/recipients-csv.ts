import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { limits } from '@portal/contracts/shared/rules'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { byteOrderMark, csvLine, inZone, timeCell } from '../csv.ts'
import type { SelectedRecipients } from './recipients-reader.ts'

/** Some milliseconds of reads. */
const rowsPerPart = 200

const header = csvLine([
  'Name',
  'Email',
  'Status',
  'Reason',
  'Explanation',
  inZone('In inbox since'),
  inZone('Read at'),
  'User id',
])

const lineOf = (recipient: CampaignRecipient): string => {
  const { fullName, personalEmail, status, reason = '', says, deliveredAt, readAt, userId } = recipient
  return csvLine([fullName, personalEmail, status, reason, says, timeCell(deliveredAt), timeCell(readAt), userId])
}

/** Writes the recipients in parts, so that the memory does not depend on their number. */
export async function* recipientsCsv({ count, rows }: SelectedRecipients): AsyncGenerator<string, void> {
  yield byteOrderMark + header
  const last = Math.min(count, limits.recipientsPerAudience)
  for (let from = 0; from < last; from += rowsPerPart) {
    await yieldToEventLoop()
    const part = await rows(from, Math.min(from + rowsPerPart, last))
    yield part.map(lineOf).join('')
  }
}
