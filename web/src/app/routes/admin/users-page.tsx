import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { PeopleFilter } from '../../../features/campaigns/people/people-filter.tsx'
import { PeopleTable } from '../../../features/campaigns/people/people-table.tsx'
import { usePeopleList, type PeopleList } from '../../../features/campaigns/people/use-people-list.ts'
import { InviteDialog } from '../../../features/people/invitations/invite-dialog.tsx'
import { PendingInvitations } from '../../../features/people/invitations/pending-invitations.tsx'
import { useInvitations } from '../../../features/people/invitations/use-invitations.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

const Rows = styled('div')(({ theme }) => ({
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

const Failed = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: theme.spacing(0, 0, 4) }))

const ShowAll = ({ onClear }: { readonly onClear: () => void }) => (
  <Button variant="outlined" color="secondary" onClick={onClear}>
    Show all people
  </Button>
)

const Answer = ({ state, isBusy, address, reload, showPage, clear }: PeopleList) => {
  switch (state.kind) {
    case 'loading':
      return (
        <DelayedFadeIn role="status" aria-label="Loading people">
          <Skeleton variant="rounded" height={480} />
        </DelayedFadeIn>
      )
    case 'failed':
      return (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load people"
          detail={state.failure.message}
          onRetry={reload}
        />
      )
    case 'loaded': {
      const { people, pagination } = state.data
      if (people.length === 0)
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
          <PeopleTable people={people} from={address} />
          <Pager pagination={pagination} noun="people" onPage={showPage} />
        </Rows>
      )
    }
  }
}

/** All users, with a search and filters, and the open invitations. */
export const UsersPage = () => {
  const list = usePeopleList()
  const { state: invited, refresh, reload: reloadInvitations } = useInvitations()
  const [isInviting, setInviting] = useState(false)
  const invitations = invited.kind === 'loaded' ? invited.data : []
  const { state, isBusy, rule, filterBy } = list
  const found = state.kind === 'loaded' && !isBusy ? state.data.pagination.total : undefined
  return (
    <>
      <PageTitle
        title="Users"
        back={{ to: '/admin/dashboard', label: 'dashboard' }}
        actions={<Button onClick={() => setInviting(true)}>Invite</Button>}
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
      <PeopleFilter rule={rule} found={found} onRule={filterBy} />
      <Answer {...list} />
      {isInviting && <InviteDialog invitations={invitations} onChange={refresh} onClose={() => setInviting(false)} />}
    </>
  )
}
