import { BarChart } from '@mui/x-charts/BarChart'
import { formatCount } from '../progress.ts'
import { useChartFrame } from './chart-frame.ts'
import { MeasuredWidth } from './measured-width.tsx'

type Series = {
  readonly label: string
  readonly values: readonly number[]
  /** The text of a bar on hover. Default: its number. */
  readonly textOf?: (value: number, index: number) => string
}

type PairedBarsProps = {
  /** One per pair of bars. */
  readonly labels: readonly string[]
  readonly delivered: Series
  readonly read: Series
  readonly heightPx: number
  /** Every which label is shown. Default: all that fit. Bars of neighboring labels then nearly touch. */
  readonly labelEvery?: number
}

const chartSeries = (id: string, { label, values, textOf }: Series, color: string) => ({
  id,
  label,
  color,
  data: [...values],
  valueFormatter: (value: number | null, { dataIndex }: { dataIndex: number }) =>
    textOf?.(value ?? 0, dataIndex) ?? formatCount(value ?? 0),
})

/**
 * Deliveries and reads per interval as a bar chart. Hidden from screen readers: each page repeats its numbers as a text and
 * a table. The library respects reduced motion.
 */
export const PairedBars = ({ labels, delivered, read, heightPx, labelEvery }: PairedBarsProps) => {
  const isDense = labelEvery !== undefined
  const { palette, chart, xAxis, yAxis } = useChartFrame()
  return (
    <MeasuredWidth>
      {(widthPx) => (
        <BarChart
          {...chart}
          width={widthPx}
          height={heightPx}
          borderRadius={isDense ? 0 : 2}
          series={[
            chartSeries('delivered', delivered, palette.portal.edge),
            chartSeries('read', read, palette.primary.main),
          ]}
          xAxis={[
            {
              ...xAxis,
              data: [...labels],
              categoryGapRatio: isDense ? 0.1 : 0.36,
              // Labels are measured before their font has loaded, and overlap with a smaller gap.
              tickLabelMinGap: isDense ? 0 : 16,
              ...(isDense && { tickLabelInterval: (_: unknown, index: number) => index % labelEvery === 0 }),
            },
          ]}
          yAxis={[yAxis]}
        />
      )}
    </MeasuredWidth>
  )
}
