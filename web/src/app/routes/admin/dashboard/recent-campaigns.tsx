import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { listRecentNotifications } from '@portal/contracts/notifications/http'
import { withdrawnTitle } from '@portal/contracts/notifications/notification'
import type { CampaignProgress, SentItem } from '@portal/contracts/notifications/sent-item'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { StateBar, StateLine } from '../../../../features/campaigns/components/delivery-states.tsx'
import { campaignPath, isRecalled } from '../../../../features/campaigns/campaign.ts'
import {
  isCampaign,
  missingCampaign,
  useReloadForMissing,
  type CampaignPage,
} from '../../../../features/campaigns/use-history.ts'
import { withdrawnText } from '../../../../features/campaigns/progress.ts'
import { progressOf, useReports } from '../../../../features/campaigns/use-reports.ts'
import { call, type Answer } from '../../../../lib/http.ts'
import { useRequestQuery } from '../../../../lib/query.ts'
import { onReconnect, useSocket } from '../../../../lib/socket.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../../ui/states.tsx'
import { languageOf } from '../../../../ui/text-language.ts'
import { exactTime } from '../../../../ui/time.tsx'
import { TypeBadge } from '../../../../ui/type-badge.tsx'

const List = styled('ul')(({ theme }) => ({
  margin: theme.spacing(3, 0, 0),
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

/** The height of an entry on a desktop. */
const rowPx = 107

const Item = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gap: theme.spacing(2, 8),
  padding: theme.spacing(4, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(180px, 32%)', alignItems: 'center' },
  '& .text': { minWidth: 0 },
  '& h3': { overflowWrap: 'anywhere' },
  // The link covers the whole row.
  '& h3 a': { color: 'inherit', textDecoration: 'none', outline: 'none' },
  '& h3 a::after': { content: '""', position: 'absolute', inset: 0, borderRadius: theme.portal.radii.control },
  '& h3 a:hover': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.2em' },
  '& h3 a:focus-visible::after': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
  '& .message': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .facts': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 3),
    marginTop: theme.spacing(2),
    fontVariantNumeric: 'tabular-nums',
  },
}))

const recentCount = 5

/** Loads only what admins sent, because the portal's own notices would fill the list. */
const loadRecent = async (signal: AbortSignal): Promise<Answer<CampaignPage>> => {
  const query = { page: 1, limit: recentCount, source: 'admins' } as const
  const answer = await call(listRecentNotifications, { query, signal })
  if (!answer.success) return answer
  const { notifications, pagination } = answer.data
  return { success: true, data: { campaigns: notifications.filter(isCampaign), pagination } }
}

type RecentProps = { readonly campaign: SentItem; readonly progress: CampaignProgress }

/** A withdrawn campaign has no text and no states, as in the history. */
const Recent = ({ campaign, progress }: RecentProps) => {
  const isWithdrawn = isRecalled(campaign, progress)
  const { title, message, type } = campaign
  return (
    <Item>
      <div className="text">
        <Typography variant="subtitle1" component="h3" lang={isWithdrawn ? undefined : languageOf(title)}>
          <Link to={campaignPath(campaign.id)}>{isWithdrawn ? withdrawnTitle : title || 'Notification'}</Link>
        </Typography>
        {!isWithdrawn && (
          <Typography variant="body2" color="textSecondary" className="message" lang={languageOf(message)}>
            {message}
          </Typography>
        )}
        <div className="facts">
          {!isWithdrawn && <TypeBadge type={type} />}
          <Typography variant="caption" color="textSecondary" component="time" dateTime={campaign.timestamp}>
            {exactTime(campaign.timestamp)}
          </Typography>
        </div>
      </div>
      {isWithdrawn ? (
        <Typography variant="body2" color="textSecondary">
          {withdrawnText(progress)}
        </Typography>
      ) : (
        <div>
          <StateBar progress={progress} />
          <StateLine progress={progress} />
        </div>
      )}
    </Item>
  )
}

/** The newest campaigns, kept up to date by the socket like the history. */
const useRecentCampaigns = () => {
  const { state, reload, refresh } = useRequestQuery({ key: ['recent-sends'], request: loadRecent })
  const reports = useReports()
  const socket = useSocket()
  useEffect(() => (socket ? onReconnect(socket, () => void refresh()) : undefined), [socket, refresh])
  useReloadForMissing(state.kind === 'loaded' ? missingCampaign(state.data, reports) : undefined, refresh)
  return { state, reload, reports }
}

export const RecentCampaigns = () => {
  const { state, reload, reports } = useRecentCampaigns()
  return (
    <section aria-labelledby="recent-notifications">
      <Typography variant="h2" id="recent-notifications">
        Recent Notifications
      </Typography>
      {state.kind === 'loading' && (
        <DelayedFadeIn role="status" aria-label="Loading recent notifications">
          <Skeleton variant="rounded" height={recentCount * rowPx} sx={{ marginTop: 3 }} />
        </DelayedFadeIn>
      )}
      {state.kind === 'failed' && (
        <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notifications" onRetry={reload} />
      )}
      {state.kind === 'loaded' &&
        (state.data.campaigns.length === 0 ? (
          <EmptyState
            illustration={<EmptyTrayIllustration />}
            text="No recent notifications to display."
            action={
              <Button component={Link} to="/admin/notifications">
                Send a notification
              </Button>
            }
          />
        ) : (
          <List>
            {state.data.campaigns.map((campaign) => (
              <Recent key={campaign.id} campaign={campaign} progress={progressOf(reports, campaign)} />
            ))}
          </List>
        ))}
    </section>
  )
}
