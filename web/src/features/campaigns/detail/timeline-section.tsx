import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import { loadInBackground } from '../../../lib/load-module.ts'
import { formatCount } from '../progress.ts'
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

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 6),
  marginBottom: theme.spacing(3),
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

const Numbers = styled('details')(({ theme }) => ({
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
    '&::-webkit-details-marker': { display: 'none' },
  },
  '& table': { width: '100%', borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums' },
  '& th, & td': {
    padding: theme.spacing(1.5, 0),
    fontWeight: 400,
    textAlign: 'right',
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& thead th': { fontWeight: 600, color: theme.vars.palette.text.secondary },
  '& th:first-of-type': { textAlign: 'left' },
}))

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
    <Numbers>
      <summary>Show as a table</summary>
      <table>
        <thead>
          <tr>
            {[unit, 'Shown or pushed', 'Read'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slots
            .filter(({ delivered, reads }) => delivered + reads > 0)
            .map(({ label, delivered, reads }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatCount(delivered)}</td>
                <td>{formatCount(reads)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Numbers>
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
      <Head>
        <Typography variant="h2" id="timeline-heading">
          Over time
        </Typography>
        <Legend aria-hidden="true">
          <span className="delivered">Shown or pushed</span>
          <span className="read">Read</span>
        </Legend>
      </Head>
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
