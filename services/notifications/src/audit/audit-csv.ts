import type { AuditKind } from '@portal/contracts/notifications/audit'
import { csvFile, inZone, timeCell } from '../csv.ts'
import type { IndexedAction } from './action-index.ts'
import type { PresentActions, PresentedAction } from './present-actions.ts'

const kindNames: Readonly<Record<AuditKind, string>> = {
  programs: 'Programs',
  enrollments: 'Enrollments',
  universities: 'Universities',
  notifications: 'Notifications',
  accounts: 'Accounts',
  exports: 'Exports',
  operations: 'Operations',
}

const header = [inZone('Time'), 'Who', 'Kind', 'What', 'Reason', 'Object id', 'Request id', 'Reference']

const cellsOf = ({ row, by, objectId }: PresentedAction): readonly string[] => {
  const { at, kind, says, reason = '', requestId = '', reference = '' } = row
  return [timeCell(at), by, kindNames[kind], says, reason, objectId, requestId, reference]
}

export const auditCsv = (
  actions: readonly IndexedAction[],
  presentActions: PresentActions,
): AsyncGenerator<string, void> =>
  csvFile(header, actions.length, async (from, to) => (await presentActions(actions.slice(from, to))).map(cellsOf))
