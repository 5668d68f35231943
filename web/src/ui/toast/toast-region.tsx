import { styled } from '@mui/material/styles'
import { useAtomValue } from '../../lib/jotai.ts'
import { toastsAtom } from './atoms.ts'
import { ToastCard } from './toast-card.tsx'

/** Top right on a desk, along the top on a phone: never over the bottom bar, where the thumb is. */
const Corner = styled('div')(({ theme }) => ({
  position: 'fixed',
  zIndex: theme.zIndex.snackbar,
  top: `calc(env(safe-area-inset-top) + ${theme.spacing(3)})`,
  right: theme.spacing(3),
  left: theme.spacing(3),
  display: 'grid',
  gap: theme.spacing(2),
  pointerEvents: 'none',
  [theme.breakpoints.up('sm')]: { left: 'auto', width: 380, top: theme.spacing(5), right: theme.spacing(5) },
}))

/** The region is always there: screen readers announce what enters it. */
export const ToastRegion = () => {
  const toasts = useAtomValue(toastsAtom)
  return (
    <Corner role="region" aria-label="Messages" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </Corner>
  )
}
