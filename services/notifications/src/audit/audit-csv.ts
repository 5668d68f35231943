import type { AuditKind } from '@portal/contracts/notifications/audit'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { byteOrderMark, csvLine, inZone, timeCell } from '../csv.ts'
import type { IndexedAction } from './action-index.ts'
import type { PresentActions, PresentedAction } from './present-actions.ts'

/** Some milliseconds of reads. */
const rowsPerPart = 200

const kindNames: Readonly<Record<AuditKind, string>> = {
  programs: 'Programs',
  universities: 'Universities',
  notifications: 'Notifications',
  accounts: 'Accounts',
  exports: 'Exports',
  operations: 'Operations',
}

const header = csvLine([inZone('Time'), 'Who', 'Kind', 'What', 'Reason', 'Object id', 'Request id'])

const lineOf = ({ row, by, objectId }: PresentedAction): string => {
  const { at, kind, says, reason = '', requestId = '' } = row
  return csvLine([timeCell(at), by, kindNames[kind], says, reason, objectId, requestId])
}

/** Writes the actions in parts, so that requests are served in between. */
export async function* auditCsv(
  actions: readonly IndexedAction[],
  presentActions: PresentActions,
): AsyncGenerator<string, void> {
  yield byteOrderMark + header
  for (let from = 0; from < actions.length; from += rowsPerPart) {
    await yieldToEventLoop()
    const presented = await presentActions(actions.slice(from, from + rowsPerPart))
    yield presented.map(lineOf).join('')
  }
}
