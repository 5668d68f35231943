import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { limits } from '@portal/contracts/shared/rules'
import { csvFile, inZone, timeCell } from '../csv.ts'
import type { SelectedRecipients } from './recipients-reader.ts'

const header = [
  'Name',
  'Email',
  'Status',
  'Reason',
  'Explanation',
  inZone('In inbox since'),
  inZone('Read at'),
  'User id',
]

const cellsOf = (recipient: CampaignRecipient): readonly string[] => {
  const { fullName, personalEmail, status, reason = '', says, deliveredAt, readAt, userId } = recipient
  return [fullName, personalEmail, status, reason, says, timeCell(deliveredAt), timeCell(readAt), userId]
}

export const recipientsCsv = ({ count, rows }: SelectedRecipients): AsyncGenerator<string, void> =>
  csvFile(header, Math.min(count, limits.recipientsPerAudience), async (from, to) =>
    (await rows(from, to)).map(cellsOf),
  )
