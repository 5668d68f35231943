import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import { loadInBackground } from '../../../lib/load-module.ts'
import { ChartHead, ChartLegend, ChartTable } from '../components/chart-parts.tsx'
import { daySlots, minuteSlots, summaryOf, type Activity, type Slot } from './timeline.ts'

/** Loaded lazily: the chart library is large. */
const PairedBars = lazy(async () => {
  const { PairedBars: Loaded } = await loadInBackground(() => import('../components/paired-bars.tsx'))
  return { default: Loaded }
})

const heightPx = 180

const Charts = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(8),
  '& > *': { minWidth: 0 },
  '@container (min-width: 800px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  '& figure': { margin: 0 },
  '& figcaption': { ...theme.typography.body2, minHeight: 40, fontVariantNumeric: 'tabular-nums' },
  // Reserves the place of the chart.
  '& .chart': { minHeight: heightPx },
}))

const Width = styled('div')({ containerType: 'inline-size' })

type ChartProps = {
  /** 'in the first hour' */
  readonly period: string
  /** The head of the first column of the table. */
  readonly unit: string
  readonly slots: readonly Slot[]
  /** Every which slot has a label, if there are many. */
  readonly labelEvery?: number | undefined
}

const Chart = ({ period, unit, slots, labelEvery }: ChartProps) => (
  <figure>
    <figcaption>{summaryOf(slots, period)}</figcaption>
    <div className="chart">
      <Suspense fallback={null}>
        <PairedBars
          heightPx={heightPx}
          {...(labelEvery !== undefined && { labelEvery })}
          labels={slots.map(({ label }) => label)}
          delivered={{ label: 'Shown or pushed', values: slots.map(({ delivered }) => delivered) }}
          read={{ label: 'Read', values: slots.map(({ reads }) => reads) }}
        />
      </Suspense>
    </div>
    <ChartTable
      heads={[unit, 'Shown or pushed', 'Read']}
      rows={slots
        .filter(({ delivered, reads }) => delivered + reads > 0)
        .map(({ label, delivered, reads }) => ({ label, counts: [delivered, reads] }))}
    />
  </figure>
)

type TimelineSectionProps = {
  readonly sentAt: string
  readonly firstHour: readonly Activity[]
  readonly byDay: readonly Activity[]
}

/** Deliveries and reads over time: the first hour by minute, then by day. */
export const TimelineSection = ({ sentAt, firstHour, byDay }: TimelineSectionProps) => {
  const days = daySlots(byDay)
  return (
    <section aria-labelledby="timeline-heading">
      <ChartHead>
        <Typography variant="h2" id="timeline-heading">
          Over time
        </Typography>
        <ChartLegend delivered="Shown or pushed" read="Read" />
      </ChartHead>
      {days.length === 0 ? (
        <Typography color="textSecondary">Nothing has been shown, pushed or read yet.</Typography>
      ) : (
        <Width>
          <Charts>
            <Chart period="in the first hour" unit="Minute" slots={minuteSlots(firstHour, sentAt)} labelEvery={10} />
            <Chart
              period={days.length === 1 ? 'on the first day' : `in ${days.length} days`}
              unit="Day"
              slots={days}
              labelEvery={days.length > 14 ? 14 : undefined}
            />
          </Charts>
        </Width>
      )}
    </section>
  )
}
