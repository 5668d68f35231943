import { useTheme } from '@mui/material/styles'
import { BarChart } from '@mui/x-charts/BarChart'
import type { ActivityDay } from '@portal/contracts/notifications/http'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import { dayLabel, sendsText } from './activity.ts'

type ActivityChartProps = { readonly days: readonly ActivityDay[]; readonly heightPx: number }

/**
 * Deliveries and reads of each day as a bar chart. Hidden from screen readers: the summary and the table contain the same
 * numbers. The library respects reduced motion.
 */
export const ActivityChart = ({ days, heightPx }: ActivityChartProps) => {
  const theme = useTheme()
  const { palette } = theme.vars
  const tickLabelStyle = {
    fontFamily: theme.typography.fontFamily ?? 'inherit',
    fontSize: theme.typography.caption.fontSize ?? 'inherit',
    fill: palette.text.secondary,
  }
  return (
    <div aria-hidden="true">
      <BarChart
        height={heightPx}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        hideLegend
        disableKeyboardNavigation
        grid={{ horizontal: true }}
        borderRadius={2}
        series={[
          {
            id: 'delivered',
            label: 'Sent to recipients',
            color: palette.portal.edge,
            data: days.map(({ delivered }) => delivered),
            valueFormatter: (value, { dataIndex }) =>
              `${formatCount(value ?? 0)} (${sendsText(days[dataIndex]?.sends ?? 0)})`,
          },
          {
            id: 'read',
            label: 'Read by recipients',
            color: palette.primary.main,
            data: days.map(({ reads }) => reads),
            valueFormatter: (value) => formatCount(value ?? 0),
          },
        ]}
        xAxis={[
          {
            scaleType: 'band',
            data: days.map(({ date }) => dayLabel(date)),
            categoryGapRatio: 0.36,
            barGapRatio: 0,
            disableTicks: true,
            height: 28,
            // Labels are measured before their font has loaded, and overlap with a smaller gap.
            tickLabelMinGap: 16,
            tickLabelStyle,
          },
        ]}
        yAxis={[
          {
            min: 0,
            tickMinStep: 1,
            tickNumber: 4,
            disableLine: true,
            disableTicks: true,
            width: 44,
            tickLabelStyle,
            valueFormatter: (value: number) => formatCount(value),
          },
        ]}
        sx={{
          fontVariantNumeric: 'tabular-nums',
          '& .MuiChartsGrid-line, & .MuiChartsAxis-line': { stroke: palette.divider },
        }}
      />
    </div>
  )
}
