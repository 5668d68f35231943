import { styled } from '@mui/material/styles'
import type { ListedPerson, PeopleSort } from '@portal/contracts/notifications/people'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { roleName } from '../../../ui/role-name.ts'
import { SortedLinkedRows, type LinkedColumn } from '../../../ui/table/linked-rows.tsx'
import type { Sort } from '../../../ui/table/sort.ts'
import { languageOf } from '../../../ui/text-language.ts'
import { dayText } from '../../../ui/time.tsx'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { stateNames } from './people-kinds.ts'
import type { FromPeople } from './people-query.ts'

const Unverified = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'block',
  fontWeight: 600,
  color: theme.vars.palette.portal.tones.yellow.text,
}))

const State = styled('span')(({ theme }) => ({ display: 'block', marginTop: theme.spacing(1) }))

type PeopleColumn = 'name' | 'email' | 'role' | 'university' | 'registered'

const columns: readonly LinkedColumn<PeopleColumn>[] = [
  { name: 'name', label: 'Name', width: '20%' },
  { name: 'email', label: 'Email', width: '22%' },
  { name: 'role', label: 'Role', width: '9%' },
  { name: 'university', label: 'University' },
  { label: 'Student code', width: '18%' },
  { name: 'registered', label: 'Registered', width: '12%' },
]

const sortOf = (sort: PeopleSort): Sort<PeopleColumn> => {
  const column = columns.flatMap((one) => ('name' in one && sort.endsWith(one.name) ? [one.name] : []))[0] ?? 'name'
  return { column, direction: sort.startsWith('-') ? 'descending' : 'ascending' }
}

const peopleSortOf = ({ column, direction }: Sort<PeopleColumn>): PeopleSort =>
  direction === 'ascending' ? column : `-${column}`

const none = <span aria-label="None">–</span>

type RowProps = { readonly person: ListedPerson; readonly from: string }

const Row = memo(({ person, from }: RowProps) => {
  const { _id, fullName, personalEmail, emailVerified, role, universityName, studentCode, state, registeredAt } = person
  const routerState: FromPeople = { people: from }
  return (
    <tr role="row">
      <td role="cell">
        <Link to={`/admin/people/${_id}`} state={routerState} lang={languageOf(fullName)}>
          {fullName}
        </Link>
        {state === 'deactivated' && (
          <State>
            <ToneBadge tone="red">{stateNames.deactivated}</ToneBadge>
          </State>
        )}
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
      <td role="cell" className="short" data-label="Registered">
        {dayText(registeredAt)}
      </td>
    </tr>
  )
})

type PeopleTableProps = {
  readonly people: readonly ListedPerson[]
  readonly sort: PeopleSort
  readonly onSort: (sort: PeopleSort) => void
  /** The search of this list's address, to which a person's page leads back. */
  readonly from: string
}

/** One row per user. A row leads to the page of the user. */
export const PeopleTable = ({ people, sort, onSort, from }: PeopleTableProps) => (
  <SortedLinkedRows label="Users" columns={columns} sort={sortOf(sort)} onSort={(next) => onSort(peopleSortOf(next))}>
    {people.map((person) => (
      <Row key={person._id} person={person} from={from} />
    ))}
  </SortedLinkedRows>
)
