import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { PeopleFilter } from '../../../features/campaigns/people/people-filter.tsx'
import { PeopleTable } from '../../../features/campaigns/people/people-table.tsx'
import { usePeopleList, type PeopleList } from '../../../features/campaigns/people/use-people-list.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

const Rows = styled('div')(({ theme }) => ({
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

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

/** All users, with a search and filters. */
export const UsersPage = () => {
  const list = usePeopleList()
  const { state, isBusy, rule, filterBy } = list
  const found = state.kind === 'loaded' && !isBusy ? state.data.pagination.total : undefined
  return (
    <>
      <PageTitle title="Users" back={{ to: '/admin/dashboard', label: 'dashboard' }} />
      <PeopleFilter rule={rule} found={found} onRule={filterBy} />
      <Answer {...list} />
    </>
  )
}
