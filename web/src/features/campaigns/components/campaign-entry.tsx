import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { CampaignProgress, SentItem } from '@portal/contracts/notifications/notification'
import { memo } from 'react'
import { RelativeTime } from '../../../ui/time.tsx'
import { TypeBadge } from '../../../ui/type-badge.tsx'
import { formatCount } from '../progress.ts'
import { StateBar, StateCounts } from './delivery-states.tsx'

const Entry = styled('li')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(5, 0),
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  containerType: 'inline-size',
}))

const Head = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'baseline',
  gap: theme.spacing(0.5, 4),
  '& h3': { overflowWrap: 'anywhere' },
}))

const Excerpt = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  color: theme.vars.palette.text.secondary,
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
  gridColumn: '1 / -1',
}))

const Meta = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 4),
  ...theme.typography.body2,
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
}))

type CampaignEntryProps = { readonly campaign: SentItem; readonly progress: CampaignProgress }

/** One campaign of the history. */
export const CampaignEntry = memo(({ campaign, progress }: CampaignEntryProps) => (
  <Entry>
    <Head>
      <Typography variant="subtitle1" component="h3">
        {campaign.notificationTitle || 'Notification'}
      </Typography>
      <Typography variant="caption" color="textSecondary">
        <RelativeTime at={campaign.deliveredAt} />
      </Typography>
      <Excerpt>{campaign.message}</Excerpt>
    </Head>
    <Meta>
      <TypeBadge type={campaign.notificationType} />
      <span>
        <b>{formatCount(progress.read)}</b> of <b>{formatCount(progress.targeted)}</b> read
      </span>
    </Meta>
    <StateBar progress={progress} />
    <StateCounts progress={progress} />
  </Entry>
))

/** As tall as an entry with two lines of text. */
const EmptyEntry = styled('div')(({ theme }) => ({
  display: 'grid',
  alignContent: 'space-between',
  height: 219,
  padding: theme.spacing(5, 0),
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))

/** Stands in for an entry that is still loading. */
export const CampaignEntrySkeleton = () => (
  <EmptyEntry>
    <Skeleton variant="rounded" width="46%" height={20} />
    <Skeleton variant="rounded" width="92%" height={16} />
    <Skeleton variant="rounded" width="68%" height={16} />
    <Skeleton variant="rounded" width={132} height={20} />
    <Skeleton variant="rounded" height={12} />
    <Skeleton variant="rounded" width="84%" height={32} />
  </EmptyEntry>
)
