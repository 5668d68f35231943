import { useTheme } from '@mui/material/styles'
import { BarChart } from '@mui/x-charts/BarChart'
import type { ActivityDay } from '@portal/contracts/notifications/http'
import { useChartFrame } from '../../../../../features/campaigns/components/chart-frame.ts'
import { MeasuredWidth } from '../../../../../features/campaigns/components/measured-width.tsx'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import { useMedia } from '../../../../../lib/use-media.ts'
import { arrivalsOf, arrivalsReadOf, dayLabel, hasLabel, sendsText } from './activity.ts'

type ActivityChartProps = { readonly days: readonly ActivityDay[]; readonly heightPx: number }

const countText = (count: number | null): string => formatCount(count ?? 0)

/**
 * A bar per day: what arrived on that day, filled as far as it has been read since. Hidden from screen readers: the page
 * repeats its numbers as a text and a table.
 */
export const ActivityChart = ({ days, heightPx }: ActivityChartProps) => {
  const { palette, chart, xAxis, yAxis } = useChartFrame()
  const theme = useTheme()
  const isNarrow = useMedia(theme.breakpoints.down('sm'))
  const indexOf = new Map(days.map(({ date }, index) => [date, index]))
  const dayText = (date: string): string => {
    const day = days[indexOf.get(date) ?? -1]
    return day ? `${dayLabel(date)} · ${sendsText(day.sends)}` : dayLabel(date)
  }
  return (
    <MeasuredWidth>
      {(widthPx) => (
        <BarChart
          {...chart}
          width={widthPx}
          height={heightPx}
          borderRadius={2}
          series={[
            {
              id: 'read',
              stack: 'arrivals',
              label: 'Read by now',
              color: palette.primary.main,
              data: days.map(arrivalsReadOf),
              valueFormatter: countText,
            },
            {
              id: 'unread',
              stack: 'arrivals',
              label: 'Not read yet',
              color: palette.portal.accentSoft,
              data: days.map((day) => arrivalsOf(day) - arrivalsReadOf(day)),
              valueFormatter: countText,
            },
          ]}
          xAxis={[
            {
              ...xAxis,
              data: days.map(({ date }) => date),
              categoryGapRatio: 0.36,
              tickLabelInterval: (_: unknown, index: number) => hasLabel(index, days.length, isNarrow),
              valueFormatter: (date: string, { location }: { location: string }) =>
                location === 'tooltip' ? dayText(date) : dayLabel(date),
            },
          ]}
          yAxis={[yAxis]}
          sx={{ ...chart.sx, '& [data-series="unread"] .MuiBarChart-element': { stroke: palette.primary.main } }}
        />
      )}
    </MeasuredWidth>
  )
}
