import { useTheme } from '@mui/material/styles'
import { formatCount } from '../progress.ts'

/** What all bar charts share: their axes, their tooltip and their lines. */
export const useChartFrame = () => {
  const theme = useTheme()
  const { palette } = theme.vars
  const tickLabelStyle = {
    fontFamily: theme.typography.fontFamily ?? 'inherit',
    fontSize: theme.typography.caption.fontSize ?? 'inherit',
    fill: palette.text.secondary,
  }
  return {
    palette,
    chart: {
      margin: { top: 8, right: 0, bottom: 0, left: 0 },
      hideLegend: true,
      disableKeyboardNavigation: true,
      grid: { horizontal: true },
      // Above the pointer, so that it covers neither the axis nor the next bars.
      slotProps: { tooltip: { position: 'top' } },
      sx: {
        fontVariantNumeric: 'tabular-nums',
        '& .MuiChartsGrid-line, & .MuiChartsAxis-line': { stroke: palette.divider },
        // The library places it 8 px above the pointer. The padding makes that 14 px.
        '& .MuiChartsTooltip-root': { paddingBottom: '6px' },
        '& .MuiChartsTooltip-root *': { ...theme.typography.body2, fontVariantNumeric: 'tabular-nums' },
      },
    },
    xAxis: {
      scaleType: 'band',
      barGapRatio: 0,
      disableTicks: true,
      height: 28,
      tickLabelStyle,
    },
    yAxis: {
      min: 0,
      tickMinStep: 1,
      tickNumber: 4,
      disableLine: true,
      disableTicks: true,
      width: 44,
      tickLabelStyle,
      valueFormatter: (value: number) => formatCount(value),
    },
  } as const
}
