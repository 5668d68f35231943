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
    // The remaining part, in a tint of the completed one.
    background: 'color-mix(in srgb, currentColor 22%, transparent)',
  },
  '& .done': { position: 'absolute', inset: 0, background: 'currentColor', transformOrigin: 'left' },
}))

/** A progress bar in the color of the surrounding text. */
export const ProgressBar = ({ label, percent }: { label: string; percent: number }) => {
  const id = useId()
  return (
    <Frame>
      <span id={id}>{label}</span>
      <span aria-hidden="true">{`${percent}%`}</span>
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
