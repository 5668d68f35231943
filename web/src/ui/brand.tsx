import { styled } from '@mui/material/styles'
import { foldPath, ribbonPaths } from './brand-shape.ts'

/** A paper ribbon folded into an M, with the fold in shade. */
export const Logo = ({ size = 32, fold }: { size?: number; fold?: string }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    {ribbonPaths.map((path) => (
      <path key={path} d={path} fill="currentColor" />
    ))}
    <path d={foldPath} fill={fold ?? 'currentColor'} opacity={fold === undefined ? 0.62 : 1} />
  </svg>
)

const Line = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(2.5),
  color: theme.vars.palette.text.primary,
  fontFamily: theme.typography.h1.fontFamily,
  fontWeight: 700,
  fontSize: theme.portal.pieces.wordmark,
  lineHeight: 1,
  letterSpacing: '-0.02em',
  whiteSpace: 'nowrap',
  '& svg': { color: theme.vars.palette.primary.main, flex: 'none' },
}))

/** Logo and name in one line. */
export const Wordmark = ({ size = 28 }: { size?: number }) => (
  <Line className="wordmark">
    <Logo size={size} />
    Minor Programs
  </Line>
)
