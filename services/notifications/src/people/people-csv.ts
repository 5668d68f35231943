import type { ListedPerson } from '@portal/contracts/notifications/people'
import { csvFile, inZone, timeCell } from '../csv.ts'

const header = [
  'Name',
  'Email',
  'Email verified',
  'Role',
  'University',
  'Student code',
  'State',
  inZone('Registered at'),
  'User id',
]

const cellsOf = (person: ListedPerson): readonly string[] => {
  const { _id, fullName, personalEmail, emailVerified, role, universityName, studentCode, state, registeredAt } = person
  const verified = emailVerified ? 'yes' : 'no'
  return [fullName, personalEmail, verified, role, universityName, studentCode, state, timeCell(registeredAt), _id]
}

export const peopleCsv = (
  count: number,
  rows: (from: number, to: number) => readonly ListedPerson[],
): AsyncGenerator<string, void> => csvFile(header, count, async (from, to) => rows(from, to).map(cellsOf))
