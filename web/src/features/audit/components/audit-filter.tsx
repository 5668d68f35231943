import { styled } from '@mui/material/styles'
import { type AuditFilter as Filter, type AuditKind, auditKinds } from '@portal/contracts/notifications/audit'
import { DateField } from '../../../ui/date-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { PersonField } from './person-field.tsx'

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) repeat(3, minmax(0, 1fr))',
  alignItems: 'start',
  gap: theme.spacing(3),
  marginBottom: theme.spacing(5),
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    '& > :nth-of-type(-n + 2)': { gridColumn: '1 / -1' },
  },
}))

const any = 'any'

const kindLabels: Readonly<Record<AuditKind, string>> = {
  programs: 'Programs',
  enrollments: 'Enrollments',
  universities: 'Universities',
  notifications: 'Notifications',
  accounts: 'Accounts',
  exports: 'Exports',
  operations: 'Commands of operators',
}

type AuditFilterProps = { readonly filter: Filter; readonly onFilter: (filter: Filter) => void }

export const AuditFilter = ({ filter, onFilter }: AuditFilterProps) => {
  const set = <Name extends keyof Filter>(name: Name, value: Filter[Name]) => {
    const { [name]: _, ...rest } = filter
    onFilter(value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <Grid role="group" aria-label="Filter">
      <PersonField value={filter.who} onChange={(userId) => set('who', userId)} />
      <SelectField
        label="Kind"
        value={filter.kind ?? any}
        options={[any, ...auditKinds]}
        labelOf={(kind) => (kind === any ? 'All kinds' : kindLabels[kind])}
        onChange={(kind) => set('kind', kind === any ? undefined : kind)}
      />
      <DateField
        label="From"
        value={filter.from ?? ''}
        max={filter.to}
        onChange={(date) => set('from', date === '' ? undefined : date)}
      />
      <DateField
        label="To"
        value={filter.to ?? ''}
        min={filter.from}
        onChange={(date) => set('to', date === '' ? undefined : date)}
      />
    </Grid>
  )
}
