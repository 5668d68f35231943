import { styled } from '@mui/material/styles'
import { encode } from 'uqr'

/** Cameras need a light margin of four squares. */
const marginSquares = 4

/** Dark on light in every theme, as cameras expect it. */
const Frame = styled('svg')(({ theme }) => ({
  display: 'block',
  width: 220,
  maxWidth: '100%',
  height: 'auto',
  background: 'white',
  borderRadius: theme.portal.radii.control,
}))

type QrCodeProps = { readonly text: string; readonly label: string }

export const QrCode = ({ text, label }: QrCodeProps) => {
  const { data, size } = encode(text, { border: marginSquares })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <Frame viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={squares.join('')} fill="black" />
    </Frame>
  )
}
