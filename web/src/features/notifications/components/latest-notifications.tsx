import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { Link as RouterLink } from 'react-router-dom'
import { UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { EmptyInbox } from './empty-inbox.tsx'
import { LastUpdated } from './last-updated.tsx'
import { ListSkeleton, NotificationList } from './notification-list.tsx'
import { useInboxPage } from '../use-inbox.ts'
import { useMarkRead } from '../use-read-state.ts'

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: theme.portal.sizes.target,
  marginBottom: theme.spacing(1),
  '& a': { display: 'inline-flex', alignItems: 'center', minHeight: theme.portal.sizes.target },
}))

const shown = 3

/** The panel is as tall as the rows that it replaces, so that the content below does not move. */
const EmptyPanel = styled('div')(({ theme }) => ({
  display: 'grid',
  alignContent: 'center',
  minHeight: theme.spacing(29 * shown),
  margin: theme.spacing(0, -5),
  background: theme.vars.palette.background.paper,
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
}))

/** The newest three notifications, for the landing page. */
export const LatestNotifications = () => {
  const { state, keptAt, reload } = useInboxPage(1)
  const open = useMarkRead()
  return (
    <section aria-labelledby="latest-notifications">
      <Head>
        <Typography variant="h3" component="h2" id="latest-notifications">
          Latest notifications
        </Typography>
        {state.kind === 'loaded' && state.data.items.length > 0 && (
          <Link component={RouterLink} to="/notification">
            See all
          </Link>
        )}
      </Head>
      <LastUpdated at={keptAt} onRetry={reload} />
      {state.kind === 'loading' && <ListSkeleton rows={shown} />}
      {state.kind === 'failed' && (
        <EmptyPanel>
          <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notifications" onRetry={reload} />
        </EmptyPanel>
      )}
      {state.kind === 'loaded' &&
        (state.data.items.length === 0 ? (
          <EmptyPanel>
            <EmptyInbox />
          </EmptyPanel>
        ) : (
          <NotificationList items={state.data.items.slice(0, shown)} onOpen={open} />
        ))}
    </section>
  )
}
