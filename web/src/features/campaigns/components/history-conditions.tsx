import { styled } from '@mui/material/styles'
import type { HistoryFilter } from '@portal/contracts/notifications/http'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { findPeople } from '@portal/contracts/notifications/people'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import type { UserId } from '@portal/contracts/shared/ids'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { senderName } from '../campaign.ts'

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: theme.spacing(3),
  paddingBlock: theme.spacing(3),
  // The first condition needs the width for its long names.
  '& > :first-of-type': { gridColumn: '1 / -1' },
}))

const any = 'any'
type Status = NonNullable<HistoryFilter['status']>

const statusLabels: Readonly<Record<Status, string>> = {
  pending: 'Deliveries pending',
  failed: 'Some pushes failed',
  cancelled: 'Some canceled',
  recalled: 'Withdrawn',
}
const statuses: readonly Status[] = ['pending', 'failed', 'cancelled', 'recalled']

const loadAdmins = (signal: AbortSignal) => call(findPeople, { query: { role: 'admin', limit: 100 }, signal })

/** Admins by id: the caller, the senders of the displayed campaigns, and those whom the server lists. */
const useSenders = (campaigns: readonly SentItem[]): ReadonlyMap<UserId, string> => {
  const user = useSession()?.user
  const { state } = useRequestQuery({ key: ['admins'], request: loadAdmins, retriesOnline: 'never' })
  const listed = state.kind === 'loaded' ? state.data.people.map((admin) => ({ ...admin, userId: admin._id })) : []
  const displayed = campaigns.flatMap(({ sentBy }) => (sentBy && sentBy.userId !== portalSender ? [sentBy] : []))
  const others = [...listed, ...displayed].map((one) => [one.userId, senderName(one) ?? ''] as const)
  return new Map([...others, ...(user ? [[user._id, `${user.fullName} (you)`] as const] : [])])
}

type Source = NonNullable<HistoryFilter['source']>

const sourceLabels: Readonly<Record<Source, string>> = {
  admins: 'All admins',
  portal: 'The portal (automatic)',
  all: 'Admins and the portal',
}
const sources: readonly Source[] = ['admins', 'portal', 'all']

/** The value of the field: one admin, or a source. */
type Sender = UserId | Source

const isSource = (sender: Sender): sender is Source => sources.some((source) => source === sender)

const senderOf = ({ sentBy, source = 'admins' }: HistoryFilter): Sender => {
  if (sentBy === undefined) return source
  return sentBy === portalSender ? 'portal' : sentBy
}

const withSender = (filter: HistoryFilter, sender: Sender): HistoryFilter => {
  const { sentBy: _, source: __, ...rest } = filter
  if (sender === 'admins') return rest
  return isSource(sender) ? { ...rest, source: sender } : { ...rest, sentBy: sender }
}

type HistoryConditionsProps = {
  readonly filter: HistoryFilter
  readonly campaigns: readonly SentItem[]
  readonly onFilter: (filter: HistoryFilter) => void
}

/** The conditions of the history beside the search: type, status, sender and days. */
export const HistoryConditions = ({ filter, campaigns, onFilter }: HistoryConditionsProps) => {
  const senders = useSenders(campaigns)
  const set = <Name extends keyof HistoryFilter>(name: Name, value: HistoryFilter[Name] | '' | typeof any) => {
    const { [name]: _, ...rest } = filter
    onFilter(value === any || value === '' || value === undefined ? rest : { ...rest, [name]: value })
  }
  const sender = senderOf(filter)
  // A sender from an old address may be in no list.
  const senderOptions = [...new Set<Sender>([...sources, ...senders.keys(), sender])]
  const senderLabel = (option: Sender) =>
    isSource(option) ? sourceLabels[option] : (senders.get(option) ?? 'Another admin')
  return (
    <Grid>
      <SelectField
        label="Type"
        value={filter.type ?? any}
        options={[any, ...notificationTypes]}
        labelOf={(type) => (type === any ? 'All types' : type)}
        onChange={(type) => set('type', type)}
      />
      <SelectField
        label="Status"
        value={filter.status ?? any}
        options={[any, ...statuses]}
        labelOf={(status) => (status === any ? 'Any status' : statusLabels[status])}
        onChange={(status) => set('status', status)}
      />
      <SelectField
        label="Sender"
        value={sender}
        options={senderOptions}
        labelOf={senderLabel}
        onChange={(chosen) => onFilter(withSender(filter, chosen))}
      />
      <DateField label="From" value={filter.from ?? ''} max={filter.to} onChange={(date) => set('from', date)} />
      <DateField label="To" value={filter.to ?? ''} min={filter.from} onChange={(date) => set('to', date)} />
    </Grid>
  )
}
