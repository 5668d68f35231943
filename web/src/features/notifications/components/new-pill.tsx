import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { ArrowUpIcon } from '../../../ui/icons.tsx'

const rise = keyframes({ from: { opacity: 0, transform: 'translateY(8px)' } })

/** Just above the bottom bar, in the thumb's reach and clear of the toasts. It takes no room in the page. */
const Float = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: `calc(${theme.portal.sizes.bottomBar}px + env(safe-area-inset-bottom) + ${theme.spacing(3)})`,
  zIndex: 1,
  display: 'flex',
  justifyContent: 'center',
  height: 0,
  alignItems: 'flex-end',
  pointerEvents: 'none',
  '& .MuiButton-root': {
    pointerEvents: 'auto',
    borderRadius: 22,
    boxShadow: theme.vars.palette.portal.shadow,
    fontVariantNumeric: 'tabular-nums',
    animation: `${rise} ${theme.transitions.duration.standard}ms ${theme.transitions.easing.easeOut}`,
  },
}))

/** '1 new': what came in while the reader was further down. */
export const NewPill = ({ count, onPress }: { count: number; onPress: () => void }) => (
  <Float>
    {count > 0 && (
      <Button onClick={onPress} startIcon={<ArrowUpIcon size={18} weight={2.25} />}>
        {count} new
      </Button>
    )}
  </Float>
)
