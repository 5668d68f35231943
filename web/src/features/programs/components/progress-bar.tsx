import { styled } from '@mui/material/styles'
import { useId } from 'react'

const Frame = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  gap: theme.spacing(1.5, 4),
  fontWeight: 600,
  fontVariantNumeric: 'tabular-nums',
  '& .track': {
    gridColumn: '1 / -1',
    position: 'relative',
    height: 8,
    borderRadius: 4,
    overflow: 'hidden',
    // The remaining part, in a tint of the completed one where browsers mix colors.
    background: [theme.vars.palette.divider, 'color-mix(in srgb, currentColor 22%, transparent)'],
  },
  // Label, track and percentage on one line.
  '&[data-inline]': {
    gridTemplateColumns: 'auto minmax(40px, 1fr) auto',
    alignItems: 'center',
    gap: theme.spacing(3),
    fontWeight: 400,
    '& .track': { gridColumn: 'auto', order: 1, height: 4 },
    '& .percent': { order: 2 },
  },
  '& .done': { position: 'absolute', inset: 0, background: 'currentColor', transformOrigin: 'left' },
}))

type ProgressBarProps = { readonly label: string; readonly percent: number; readonly isInline?: boolean }

/** A progress bar in the color of the surrounding text. */
export const ProgressBar = ({ label, percent, isInline = false }: ProgressBarProps) => {
  const id = useId()
  return (
    <Frame data-inline={isInline || undefined}>
      <span id={id}>{label}</span>
      <span className="percent" aria-hidden="true">{`${percent}%`}</span>
      <div
        className="track"
        role="progressbar"
        aria-labelledby={id}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className="done" style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
    </Frame>
  )
}
