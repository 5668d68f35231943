import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { isUnfiltered } from '../../../features/audit/audit-query.ts'
import { AuditFilter } from '../../../features/audit/components/audit-filter.tsx'
import { AuditList } from '../../../features/audit/components/audit-list.tsx'
import { ExportAuditButton } from '../../../features/audit/components/export-audit-button.tsx'
import { type Audit, useAudit } from '../../../features/audit/use-audit.ts'
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
    Show all actions
  </Button>
)

const Empty = ({ filter, filterBy }: Pick<Audit, 'filter' | 'filterBy'>) =>
  isUnfiltered(filter) ? (
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="Nothing yet"
      detail="What admins and operators do appears here."
    />
  ) : (
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="Nothing matches"
      detail="Try another person, kind or day."
      action={<ShowAll onClear={() => filterBy({})} />}
    />
  )

const Answer = ({ state, isBusy, filter, filterBy, reload, showPage }: Audit) => {
  switch (state.kind) {
    case 'loading':
      return (
        <DelayedFadeIn role="status" aria-label="Loading actions">
          <Skeleton variant="rounded" height={480} />
        </DelayedFadeIn>
      )
    case 'failed':
      return (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load who did what"
          detail={state.failure.message}
          onRetry={reload}
        />
      )
    case 'loaded': {
      const { rows, pagination } = state.data
      if (rows.length === 0) return <Empty filter={filter} filterBy={filterBy} />
      return (
        <Rows aria-busy={isBusy || undefined}>
          <AuditList rows={rows} />
          <Pager pagination={pagination} noun="actions" onPage={showPage} />
          <Typography variant="caption" color="textSecondary" component="p">
            Addresses are not in this list. The security log has the address and browser of each request.
          </Typography>
        </Rows>
      )
    }
  }
}

/** What admins and operators did, to read only. */
export const AuditPage = () => {
  const audit = useAudit()
  return (
    <>
      <PageTitle
        title="Who did what"
        back={{ to: '/admin/dashboard', label: 'dashboard' }}
        actions={<ExportAuditButton filter={audit.filter} />}
      />
      <AuditFilter filter={audit.filter} onFilter={audit.filterBy} />
      <Answer {...audit} />
    </>
  )
}
