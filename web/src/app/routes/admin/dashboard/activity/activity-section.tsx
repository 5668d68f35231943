import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { getActivity, type ActivityDay } from '@portal/contracts/notifications/http'
import { lazy, Suspense, useEffect } from 'react'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import { call } from '../../../../../lib/http.ts'
import { loadInBackground } from '../../../../../lib/load-module.ts'
import { useRequestQuery } from '../../../../../lib/query.ts'
import { DelayedFadeIn } from '../../../../../ui/skeletons.tsx'
import { useProgressRefresh } from '../use-progress-refresh.ts'
import { activityDays, dayLabel, hasNoActivity, summaryOf } from './activity.ts'

const Details = styled('details')(({ theme }) => ({
  ...theme.typography.body2,
  '& summary': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    cursor: 'pointer',
    fontWeight: 600,
    textDecoration: 'underline',
    textDecorationThickness: 1,
    textUnderlineOffset: '0.2em',
    borderRadius: theme.portal.radii.control,
    '&::-webkit-details-marker': { display: 'none' },
  },
  '& table': {
    width: '100%',
    maxWidth: 560,
    tableLayout: 'fixed',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    '& th, & td': {
      padding: theme.spacing(1.5, 0),
      fontWeight: 400,
      textAlign: 'right',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& thead th': { fontWeight: 600, color: theme.vars.palette.text.secondary },
    '& th:first-of-type': { textAlign: 'left' },
  },
}))

/** The numbers of the chart, also for screen readers. */
const ActivityTable = ({ days }: { readonly days: readonly ActivityDay[] }) => (
  <Details>
    <summary>Show as a table</summary>
    <table>
      <thead>
        <tr>
          {['Day', 'Sends', 'Recipients', 'Read'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, sends, delivered, reads }) => (
          <tr key={date}>
            <th scope="row">{dayLabel(date)}</th>
            <td>{formatCount(sends)}</td>
            <td>{formatCount(delivered)}</td>
            <td>{formatCount(reads)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Details>
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

const SectionHead = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 6),
  paddingBottom: theme.spacing(3),
  marginBottom: theme.spacing(3),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

const Legend = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  gap: theme.spacing(4),
  color: theme.vars.palette.text.secondary,
  '& span': { display: 'inline-flex', alignItems: 'center', gap: theme.spacing(1.5) },
  '& span::before': { content: '""', width: 10, height: 10, borderRadius: 2, background: 'currentColor' },
  '& .delivered::before': { color: theme.vars.palette.portal.edge },
  '& .read::before': { color: theme.vars.palette.primary.main },
}))

/** Below the chart: the table and the time zone of its days. */
const ChartFooter = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-start',
  gap: theme.spacing(4),
  '& > details': { flex: 1, minWidth: 0 },
  '& > :last-child': { lineHeight: `${theme.portal.sizes.target}px` },
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
  const { state, reload } = useRequestQuery({ key: ['activity'], request: loadActivity })
  useProgressRefresh(reload)
  useEffect(() => {
    if (state.kind === 'failed') console.error('Counting sends and reads failed', state.failure.message)
  }, [state])

  return (
    <section aria-labelledby="activity-heading">
      <SectionHead>
        <Typography variant="h2" id="activity-heading">
          Sends and reads, last {activityDays} days
        </Typography>
        <Legend aria-hidden="true">
          <span className="delivered">Sent to recipients</span>
          <span className="read">Read by recipients</span>
        </Legend>
      </SectionHead>
      <Area>
        {state.kind === 'loading' && <ChartSkeleton />}
        {state.kind === 'failed' && (
          <Placeholder>
            <Typography>The figures are not available at the moment.</Typography>
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

const Activity = ({ days }: { readonly days: readonly ActivityDay[] }) => {
  if (hasNoActivity(days))
    return (
      <Placeholder>
        <Typography>Nothing was sent or read in the last {days.length} days.</Typography>
      </Placeholder>
    )
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums', marginBottom: 3 }}>
        {summaryOf(days)}
      </Typography>
      <Chart>
        <Suspense fallback={<ChartSkeleton />}>
          <ActivityChart days={days} heightPx={heightPx} />
        </Suspense>
      </Chart>
      <ChartFooter>
        <ActivityTable days={days} />
        <Typography variant="caption" color="textSecondary">
          Days in India Standard Time
        </Typography>
      </ChartFooter>
    </>
  )
}
