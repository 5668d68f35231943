import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useAtomValue, useSetAtom } from 'jotai'
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons.tsx'
import { dismissAtom, toastsAtom, type Toast, type ToastKind } from './atoms.ts'

const look = {
  success: { tone: 'green', Symbol: CheckIcon },
  error: { tone: 'red', Symbol: ErrorIcon },
  warning: { tone: 'yellow', Symbol: WarningIcon },
  info: { tone: 'blue', Symbol: InfoIcon },
} as const

const enter = keyframes({ from: { opacity: 0, transform: 'translateY(-8px)' } })

const Card = styled('div', { shouldForwardProp: (prop) => prop !== 'kind' })<{ kind: ToastKind }>(({ theme, kind }) => {
  const tone = theme.vars.palette.portal.tones[look[kind].tone]
  return {
    pointerEvents: 'auto',
    display: 'grid',
    gridTemplateColumns: 'auto 1fr auto auto',
    alignItems: 'center',
    columnGap: theme.spacing(3),
    minHeight: 52,
    padding: theme.spacing(1, 1, 1, 4),
    borderRadius: theme.portal.radii.sheet,
    background: tone.ground,
    color: tone.text,
    boxShadow: theme.vars.palette.portal.shadow,
    animation: `${enter} ${theme.transitions.duration.standard}ms ${theme.transitions.easing.easeOut}`,
    '& > *': { gridRow: 1 },
    '& .MuiIconButton-root, & .MuiButton-root': { color: 'inherit' },
    '& .MuiIconButton-root': { gridColumn: 4 },
    '& .MuiButton-root': {
      minHeight: theme.portal.sizes.target,
      textDecoration: 'underline',
      textUnderlineOffset: '0.2em',
    },
  }
})

const Words = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  fontWeight: 600,
  padding: theme.spacing(1, 0),
  overflowWrap: 'anywhere',
  // What can be opened need not be told in full; it must not cover more of the screen than it tells.
  '&.brief': {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    overflow: 'hidden',
    padding: 0,
  },
}))

const Detail = styled('p')({ margin: 0, fontWeight: 400 })

const ToastCard = ({ toast }: { toast: Toast }) => {
  const dismiss = useSetAtom(dismissAtom)
  const [held, setHeld] = useState(false)
  const { id, kind, message, durationMs, detail, action } = toast
  const { Symbol } = look[kind]

  // Whoever points at it or has the keyboard in it is still reading.
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(() => dismiss(id), durationMs)
    return () => clearTimeout(timer)
  }, [held, id, durationMs, dismiss])

  return (
    <Card
      kind={kind}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Symbol size={20} weight={2} />
      <Words className={action ? 'brief' : undefined}>
        {message}
        {detail !== undefined && <Detail>{detail}</Detail>}
      </Words>
      {action && (
        <Button
          variant="text"
          size="small"
          onClick={() => {
            dismiss(id)
            action.onPress()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton aria-label="Close message" onClick={() => dismiss(id)}>
        <CloseIcon size={18} weight={2} />
      </IconButton>
    </Card>
  )
}

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
