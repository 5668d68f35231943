import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useAtomValue, useSetAtom } from 'jotai'
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons.tsx'
import { dismissAtom, toastsAtom, undoAtom, type Toast, type ToastKind } from './atoms.ts'
import { languageOf } from '../text-language.ts'
import { useUndoKey } from './use-undo-key.ts'

const styles = {
  success: { tone: 'green', Symbol: CheckIcon },
  error: { tone: 'red', Symbol: ErrorIcon },
  warning: { tone: 'yellow', Symbol: WarningIcon },
  info: { tone: 'blue', Symbol: InfoIcon },
} as const

const regionName = 'Messages'

const enter = keyframes({ from: { opacity: 0, transform: 'translateY(-8px)' } })

const Card = styled('div', { shouldForwardProp: (prop) => prop !== 'kind' })<{ kind: ToastKind }>(({ theme, kind }) => {
  const tone = theme.vars.palette.portal.tones[styles[kind].tone]
  return {
    pointerEvents: 'auto',
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: theme.spacing(3),
    minHeight: 52,
    padding: theme.spacing(1, 1, 1, 4),
    borderRadius: theme.portal.radii.sheet,
    background: tone.background,
    color: tone.text,
    boxShadow: theme.vars.palette.portal.shadow,
    animation: `${enter} ${theme.transitions.duration.standard}ms ${theme.transitions.easing.easeOut}`,
    '& .MuiIconButton-root, & .MuiButton-root': { color: 'inherit' },
    '& .MuiButton-root': {
      minHeight: theme.portal.sizes.target,
      textDecoration: 'underline',
      textUnderlineOffset: '0.2em',
    },
  }
})

/** The buttons move below a text that would have too little room beside them. */
const Body = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: theme.spacing(3),
  '& > :first-of-type': { flex: '1 1 168px', minWidth: 0 },
}))

const Text = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  fontWeight: 600,
  padding: theme.spacing(1, 0),
  overflowWrap: 'anywhere',
  // Two lines are enough if the toast has a button that opens the rest.
  '&.brief': {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    overflow: 'hidden',
    paddingBottom: 0,
  },
}))

const Actions = styled('div')(({ theme }) => ({ display: 'flex', marginLeft: theme.spacing(-3) }))

const Detail = styled('p')({ margin: 0, fontWeight: 400 })

/** Returns the focus to where it was before, when the focused card disappears. */
const useFocusReturn = () => {
  const card = useRef<HTMLDivElement>(null)
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const element = card.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const target = before.current?.isConnected ? before.current : document.querySelector('main')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
  }, [])
  const remember = (from: EventTarget | null) => {
    if (from instanceof Element && !from.closest(`[aria-label="${regionName}"]`)) before.current = from
  }
  return { card, remember }
}

type ActionProps = { readonly keys?: string; readonly onClick: () => void; readonly children: ReactNode }

const Action = ({ keys, onClick, children }: ActionProps) => (
  <Button variant="text" size="small" onClick={onClick} {...(keys && { 'aria-keyshortcuts': keys, title: keys })}>
    <span>{children}</span>
  </Button>
)

const ToastCard = ({ toast }: { toast: Toast }) => {
  const dismiss = useSetAtom(dismissAtom)
  const takeBack = useSetAtom(undoAtom)
  const [isActive, setActive] = useState(false)
  const { card, remember } = useFocusReturn()
  const { id, kind, message, lang, durationMs, detail, action, undo } = toast
  const { Symbol } = styles[kind]

  // Stays open while it has the pointer or the focus.
  useEffect(() => {
    if (isActive) return undefined
    const timer = setTimeout(() => dismiss(id), durationMs)
    return () => clearTimeout(timer)
  }, [isActive, id, durationMs, dismiss])

  return (
    <Card
      ref={card}
      kind={kind}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setActive(true)}
      onPointerLeave={() => setActive(false)}
      onFocus={(event) => {
        remember(event.relatedTarget)
        setActive(true)
      }}
      onBlur={() => setActive(false)}
    >
      <Symbol size={20} weight={2} />
      <Body>
        <Text className={action ? 'brief' : undefined} lang={lang ?? languageOf(message)} dir="auto">
          {message}
          {detail !== undefined && <Detail>{detail}</Detail>}
        </Text>
        {(action || undo) && (
          <Actions>
            {action && (
              <Action
                onClick={() => {
                  dismiss(id)
                  action.onPress()
                }}
              >
                {action.label}
              </Action>
            )}
            {undo && (
              <Action keys="Alt+Z" onClick={() => takeBack(id)}>
                Undo
              </Action>
            )}
          </Actions>
        )}
      </Body>
      <IconButton aria-label="Close message" onClick={() => dismiss(id)}>
        <CloseIcon size={18} weight={2} />
      </IconButton>
    </Card>
  )
}

/** Top right on a desktop, full width at the top on a phone. Never covers the bottom bar. */
const Corner = styled('div')(({ theme }) => ({
  position: 'fixed',
  zIndex: theme.zIndex.snackbar,
  // Below the title of the page and its buttons.
  top: `calc(env(safe-area-inset-top) + var(--page-head, ${theme.spacing(18)}))`,
  right: theme.spacing(3),
  left: theme.spacing(3),
  display: 'grid',
  gap: theme.spacing(2),
  pointerEvents: 'none',
  [theme.breakpoints.up('sm')]: { left: 'auto', width: 380, top: theme.spacing(5), right: theme.spacing(5) },
}))

/** Always rendered, because screen readers announce only additions to an existing live region. */
export const ToastRegion = () => {
  const toasts = useAtomValue(toastsAtom)
  const takeBack = useSetAtom(undoAtom)
  const newest = toasts.findLast(({ undo }) => undo)
  useUndoKey(newest && (() => takeBack(newest.id)))
  return (
    <Corner role="region" aria-label={regionName} aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </Corner>
  )
}
