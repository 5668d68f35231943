import { styled } from '@mui/material/styles'
import type { Person } from '@portal/contracts/notifications/audience'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { roleName } from '../../../ui/role-name.ts'
import { LinkedRows } from '../../../ui/table/linked-rows.tsx'
import { personPath } from '../campaign.ts'
import type { FromPeople } from './people-query.ts'

const Unverified = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'block',
  fontWeight: 600,
  color: theme.vars.palette.portal.tones.yellow.text,
}))

const columns = [
  ['Name', '21%'],
  ['Email', '27%'],
  ['Role', '9%'],
  ['University', undefined],
  ['Student code', '18%'],
] as const

const none = <span aria-label="None">–</span>

type RowProps = { readonly person: Person; readonly from: string }

const Row = memo(({ person, from }: RowProps) => {
  const { userId, fullName, personalEmail, emailVerified, role, universityName, studentCode } = person
  const state: FromPeople = { people: from }
  return (
    <tr role="row">
      <td role="cell">
        <Link to={personPath(userId)} state={state}>
          {fullName}
        </Link>
      </td>
      <td role="cell" data-label="Email">
        <span>
          {personalEmail}
          {!emailVerified && <Unverified>Not verified</Unverified>}
        </span>
      </td>
      <td role="cell" data-label="Role">
        {roleName(role)}
      </td>
      <td role="cell" data-label="University">
        {universityName || none}
      </td>
      <td role="cell" className="short" data-label="Student code">
        {studentCode || none}
      </td>
    </tr>
  )
})

type PeopleTableProps = {
  readonly people: readonly Person[]
  /** The search of this list's address, to which a person's page leads back. */
  readonly from: string
}

/** One row per person. A row leads to the page of the person. */
export const PeopleTable = ({ people, from }: PeopleTableProps) => (
  <LinkedRows label="People" columns={columns}>
    {people.map((person) => (
      <Row key={person.userId} person={person} from={from} />
    ))}
  </LinkedRows>
)
