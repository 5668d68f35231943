import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ActivityDay } from '@portal/contracts/notifications/http'
import { lazy, Suspense, useEffect } from 'react'
import { useAnswer } from '../../../../lib/use-answer.ts'
import { Waiting } from '../../../../ui/skeletons.tsx'
import { fetchActivity } from '../api.ts'
import { useProgressRefresh } from '../use-progress-refresh.ts'
import { ActivityTable } from './activity-table.tsx'
import { isQuiet, summaryOf } from './activity.ts'

/** The chart's library comes when the rest of the dashboard is there. */
const ActivityChart = lazy(async () => ({ default: (await import('./activity-chart.tsx')).ActivityChart }))

const heightPx = 240

/** Keeps the chart's place, whatever stands in it. */
const Area = styled('div')({ minHeight: heightPx, display: 'grid', alignContent: 'center' })

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 6),
  paddingBottom: theme.spacing(3),
  marginBottom: theme.spacing(3),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

const Keys = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  gap: theme.spacing(4),
  color: theme.vars.palette.text.secondary,
  '& span': { display: 'inline-flex', alignItems: 'center', gap: theme.spacing(1.5) },
  '& span::before': { content: '""', width: 10, height: 10, borderRadius: 2, background: 'currentColor' },
  '& .delivered::before': { color: theme.vars.palette.portal.edge },
  '& .read::before': { color: theme.vars.palette.primary.main },
}))

const Nothing = styled('div')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  gap: theme.spacing(3),
  color: theme.vars.palette.text.secondary,
}))

const ChartSkeleton = () => (
  <Waiting role="status" aria-label="Loading sends and reads">
    <Skeleton variant="rounded" height={heightPx} />
  </Waiting>
)

export const ActivitySection = () => {
  const { state, reload } = useAnswer(fetchActivity)
  useProgressRefresh(reload)
  useEffect(() => {
    if (state.kind === 'failed') console.error('Counting sends and reads failed', state.failure.message)
  }, [state])

  return (
    <section aria-labelledby="activity-heading">
      <Head>
        <Typography variant="h2" id="activity-heading">
          Sends and reads
        </Typography>
        <Keys aria-hidden="true">
          <span className="delivered">Delivered</span>
          <span className="read">Read</span>
        </Keys>
      </Head>
      {state.kind === 'loading' && <ChartSkeleton />}
      {state.kind === 'failed' && (
        <Area>
          <Nothing>
            <Typography>The figures are not available at the moment.</Typography>
            <Button variant="outlined" color="secondary" onClick={() => void reload()}>
              Try again
            </Button>
          </Nothing>
        </Area>
      )}
      {state.kind === 'loaded' && <Activity days={state.data.days} />}
    </section>
  )
}

const Activity = ({ days }: { readonly days: readonly ActivityDay[] }) => {
  if (isQuiet(days))
    return (
      <Area>
        <Nothing>
          <Typography>Nothing was sent or read in the last {days.length} days.</Typography>
        </Nothing>
      </Area>
    )
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums', marginBottom: 3 }}>
        {summaryOf(days)}
      </Typography>
      <Area>
        <Suspense fallback={<ChartSkeleton />}>
          <ActivityChart days={days} heightPx={heightPx} />
        </Suspense>
      </Area>
      <ActivityTable days={days} />
    </>
  )
}
