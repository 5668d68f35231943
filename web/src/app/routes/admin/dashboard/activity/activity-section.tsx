import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { getActivity, type ActivityDay } from '@portal/contracts/notifications/http'
import { lazy, Suspense, useEffect } from 'react'
import { Link } from 'react-router-dom'
import { ChartHead, ChartTable, Legend } from '../../../../../features/campaigns/components/chart-parts.tsx'
import { historyPath } from '../../../../../features/campaigns/history-query.ts'
import { call } from '../../../../../lib/http.ts'
import { loadInBackground } from '../../../../../lib/load-module.ts'
import { useRequestQuery } from '../../../../../lib/query.ts'
import { DelayedFadeIn } from '../../../../../ui/skeletons.tsx'
import { useProgressRefresh } from '../use-progress-refresh.ts'
import {
  activityDays,
  arrivalsOf,
  arrivalsReadOf,
  automaticSends,
  automaticText,
  dayLabel,
  hasNoSends,
  summaryOf,
} from './activity.ts'

const ActivityTable = ({ days }: { readonly days: readonly ActivityDay[] }) => (
  <ChartTable
    heads={['Day', 'Sends', 'Recipients', 'Read']}
    rows={days.map((day) => ({
      label: dayLabel(day.date),
      counts: [day.sends, arrivalsOf(day), arrivalsReadOf(day)],
    }))}
  />
)

/** Loaded lazily: the chart library is large. */
const ActivityChart = lazy(async () => {
  const { ActivityChart: Loaded } = await loadInBackground(() => import('./activity-chart.tsx'))
  return { default: Loaded }
})

const heightPx = 240

/** Reserves the height of the summary, the chart and the link to the table, so that nothing moves while it loads. */
const Area = styled('div')(({ theme }) => ({
  minHeight: heightPx + 76,
  display: 'grid',
  alignContent: 'center',
  [theme.breakpoints.down('sm')]: { minHeight: heightPx + 96 },
}))

const Chart = styled('div')({ minHeight: heightPx })

const SectionHead = styled(ChartHead)(({ theme }) => ({
  paddingBottom: theme.spacing(3),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

const Placeholder = styled('div')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  gap: theme.spacing(3),
  color: theme.vars.palette.text.secondary,
}))

const ChartSkeleton = () => (
  <DelayedFadeIn role="status" aria-label="Loading sends and reads">
    <Skeleton variant="rounded" height={heightPx} />
  </DelayedFadeIn>
)

const loadActivity = (signal: AbortSignal) => call(getActivity, { query: { days: activityDays }, signal })

export const ActivitySection = () => {
  const { state, reload, refresh } = useRequestQuery({ key: ['activity'], request: loadActivity })
  useProgressRefresh(refresh)
  useEffect(() => {
    if (state.kind === 'failed') console.error('Counting sends and reads failed', state.failure.message)
  }, [state])

  return (
    <section aria-labelledby="activity-heading">
      <SectionHead>
        <Typography variant="h2" id="activity-heading">
          Sends and reads
        </Typography>
        <Legend aria-hidden="true">
          <span className="read">Read by now</span>
          <span className="unread">Not read yet</span>
        </Legend>
      </SectionHead>
      <Area>
        {state.kind === 'loading' && <ChartSkeleton />}
        {state.kind === 'failed' && (
          <Placeholder>
            <Typography>Statistics are unavailable right now.</Typography>
            <Button variant="outlined" color="secondary" onClick={() => void reload()}>
              Try again
            </Button>
          </Placeholder>
        )}
        {state.kind === 'loaded' && <Activity days={state.data.days} />}
      </Area>
    </section>
  )
}

const AutomaticLink = styled(Link)({ color: 'inherit', textUnderlineOffset: '0.2em', textDecorationThickness: 1 })
const automaticPath = historyPath({ source: 'portal' })

const Activity = ({ days }: { readonly days: readonly ActivityDay[] }) => {
  const automatic = automaticSends(days)
  if (hasNoSends(days))
    return (
      <Placeholder>
        <Typography>{`Nothing was sent in the last ${days.length} days.`}</Typography>
      </Placeholder>
    )
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums', marginBottom: 3 }}>
        {summaryOf(days)}{' '}
        {automatic > 0 && <AutomaticLink to={automaticPath}>{automaticText(automatic)}</AutomaticLink>}
      </Typography>
      <Chart>
        <Suspense fallback={<ChartSkeleton />}>
          <ActivityChart days={days} heightPx={heightPx} />
        </Suspense>
      </Chart>
      <ActivityTable days={days} />
    </>
  )
}
