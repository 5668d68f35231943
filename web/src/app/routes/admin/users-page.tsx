import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { InviteDialog } from '../../../features/people/invitations/invite-dialog.tsx'
import { PendingInvitations } from '../../../features/people/invitations/pending-invitations.tsx'
import { useInvitations } from '../../../features/people/invitations/use-invitations.ts'
import { ExportPeople } from '../../../features/people/list/export-people.tsx'
import { PeopleFilter } from '../../../features/people/list/people-filter.tsx'
import { PeopleTable } from '../../../features/people/list/people-table.tsx'
import { usePeopleList, type PeopleList } from '../../../features/people/list/use-people-list.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

const Rows = styled('div')(({ theme }) => ({
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const Failed = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: theme.spacing(0, 0, 4) }))

const ShowAll = ({ onClear }: { readonly onClear: () => void }) => (
  <Button variant="outlined" color="secondary" onClick={onClear}>
    Show all users
  </Button>
)

const Answer = ({ state, isBusy, query, address, reload, sortBy, showPage, clear }: PeopleList) => {
  switch (state.kind) {
    case 'loading':
      return (
        <DelayedFadeIn role="status" aria-label="Loading users">
          <Skeleton variant="rounded" height={480} />
        </DelayedFadeIn>
      )
    case 'failed':
      return (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load users"
          detail={state.failure.message}
          onRetry={reload}
        />
      )
    case 'loaded': {
      const { people, pagination } = state.data
      if (pagination.total === 0)
        return (
          <EmptyState
            illustration={<EmptyTrayIllustration />}
            text="No one matches"
            detail="Try other words, or fewer conditions."
            action={<ShowAll onClear={clear} />}
          />
        )
      return (
        <Rows aria-busy={isBusy || undefined}>
          <PeopleTable people={people} sort={query.sort} onSort={sortBy} from={address} />
          <Pager pagination={pagination} noun="users" onPage={showPage} />
        </Rows>
      )
    }
  }
}

/** All users, with a search, filters and an export, and the open invitations. */
export const UsersPage = () => {
  const list = usePeopleList()
  const { state: invited, refresh, reload: reloadInvitations } = useInvitations()
  const [isInviting, setInviting] = useState(false)
  const invitations = invited.kind === 'loaded' ? invited.data : []
  const { state, isBusy, query, filterBy } = list
  const found = state.kind === 'loaded' && !isBusy ? state.data.pagination.total : undefined
  return (
    <>
      <PageTitle
        title="Users"
        back={{ to: '/admin/dashboard', label: 'dashboard' }}
        actions={
          <Actions>
            <ExportPeople query={query} />
            <Button onClick={() => setInviting(true)}>Invite</Button>
          </Actions>
        }
      />
      {invited.kind === 'failed' && (
        <Failed role="alert">
          <span>Failed to load invitations.</span>
          <Button variant="text" color="secondary" size="small" onClick={() => void reloadInvitations()}>
            Load again
          </Button>
        </Failed>
      )}
      <PendingInvitations invitations={invitations} onChange={refresh} />
      <PeopleFilter conditions={query.conditions} found={found} onChange={filterBy} />
      <Answer {...list} />
      {isInviting && <InviteDialog invitations={invitations} onChange={refresh} onClose={() => setInviting(false)} />}
    </>
  )
}
