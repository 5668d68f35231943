import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { withdrawnTitle } from '@portal/contracts/notifications/notification'
import type { CampaignProgress, SentItem } from '@portal/contracts/notifications/sent-item'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { languageOf } from '../../../ui/text-language.ts'
import { RelativeTime } from '../../../ui/time.tsx'
import { ToneBadge, TypeBadge } from '../../../ui/type-badge.tsx'
import { campaignPath, isRecalled, sentByText } from '../campaign.ts'
import { distributionText, withdrawnText } from '../progress.ts'
import { StateBar, StateLine } from './delivery-states.tsx'

const Entry = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gap: theme.spacing(2),
  padding: theme.spacing(4, 0),
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))

/** One link per entry, which covers the whole entry. */
const TitleLink = styled(Link)(({ theme }) => ({
  color: 'inherit',
  textDecoration: 'none',
  '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: theme.portal.radii.control },
  '&:hover': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.2em' },
  '&:focus-visible': { outline: 'none' },
  '&:focus-visible::after': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
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
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 3),
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
}))

type CampaignEntryProps = { readonly campaign: SentItem; readonly progress: CampaignProgress }

const SentBy = ({ campaign }: { readonly campaign: SentItem }) => {
  const text = sentByText(campaign.sentBy)
  return text === undefined ? null : <span>{text}</span>
}

/** A recalled campaign is one quiet entry without its text. */
const RecalledEntry = ({ campaign, progress }: CampaignEntryProps) => (
  <Entry>
    <Head>
      <Typography variant="body1" component="h3" color="textSecondary">
        <TitleLink to={campaignPath(campaign.id)}>{withdrawnTitle}</TitleLink>
      </Typography>
      <Typography variant="caption" color="textSecondary">
        <RelativeTime at={campaign.deliveredAt} />
      </Typography>
    </Head>
    <Meta>
      <SentBy campaign={campaign} />
      <span>{withdrawnText(progress)}</span>
    </Meta>
  </Entry>
)

/** One campaign of the history. */
export const CampaignEntry = memo(({ campaign, progress }: CampaignEntryProps) => {
  if (isRecalled(campaign, progress)) return <RecalledEntry campaign={campaign} progress={progress} />
  const distribution = distributionText(progress)
  return (
    <Entry>
      <Head>
        <Typography variant="subtitle1" component="h3" lang={languageOf(campaign.title)}>
          <TitleLink to={campaignPath(campaign.id)}>{campaign.notificationTitle || 'Notification'}</TitleLink>
        </Typography>
        <Typography variant="caption" color="textSecondary">
          <RelativeTime at={campaign.deliveredAt} />
        </Typography>
        <Excerpt lang={languageOf(campaign.message)}>{campaign.message}</Excerpt>
      </Head>
      <Meta>
        <TypeBadge type={campaign.notificationType} />
        {campaign.isUrgent && <ToneBadge tone="red">Urgent</ToneBadge>}
        <SentBy campaign={campaign} />
      </Meta>
      <div>
        <StateBar progress={progress} />
        <StateLine progress={progress} />
      </div>
      {distribution !== undefined && <Meta>{distribution}</Meta>}
    </Entry>
  )
})

/** This placeholder is as tall as an entry with two lines of text. */
const EmptyEntry = styled('div')(({ theme }) => ({
  display: 'grid',
  alignContent: 'space-between',
  height: 182,
  padding: theme.spacing(4, 0),
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
    <Skeleton variant="rounded" width="54%" height={18} />
  </EmptyEntry>
)
