import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useEffect, useId, useRef, useState } from 'react'
import { useUndoKey } from '../../../ui/toast/use-undo-key.ts'
import { peopleText } from '../progress.ts'
import { isOverdue, type HeldSend } from './held-sends.ts'
import { useHeldSends } from './use-held-sends.ts'

const shrink = keyframes({ to: { transform: 'scaleX(0)' } })

const Panel = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: theme.spacing(2),
  padding: theme.spacing(3, 4, 4),
  overflow: 'hidden',
  borderRadius: theme.portal.radii.sheet,
  background: theme.vars.palette.portal.accentSoft,
  '& .text': { gridColumn: '1 / -1', fontVariantNumeric: 'tabular-nums' },
  '&::after': {
    content: '""',
    position: 'absolute',
    inset: 'auto 0 0',
    height: 3,
    transformOrigin: 'left',
    background: theme.vars.palette.primary.main,
    animation: `${shrink} ${limits.sendHoldMs}ms linear both`,
  },
}))

const secondsUntil = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1000))

export const useSecondsLeft = (until: number): number => {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(until)), 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

const textOf = (held: HeldSend, seconds: number, withTitle: boolean): string => {
  const what = withTitle ? `“${held.title}”` : undefined
  const to = `to ${peopleText(held.count)}`
  if (isOverdue(held)) return `${what ?? 'A notification'} ${to} was not sent in time.`
  if (held.isUnreachable) return `No connection. The portal sends ${what ?? 'it'} ${to} without this page.`
  return `Sending ${what === undefined ? '' : `${what} `}${to} in ${seconds} s`
}

type HeldSendPanelProps = {
  readonly held: HeldSend
  readonly withTitle: boolean
  /** Undefined for all but the newest: Alt+Z takes back one. */
  readonly hasUndoKey: boolean
  readonly onUndo: () => void
  readonly onSendNow: () => void
}

const HeldSendPanel = ({ held, withTitle, hasUndoKey, onUndo, onSendNow }: HeldSendPanelProps) => {
  const id = useId()
  const seconds = useSecondsLeft(held.until)
  const undoButton = useRef<HTMLButtonElement>(null)
  const { isOwn } = held
  // Not autoFocus: the dialog that has just been confirmed would take the focus back.
  useEffect(() => {
    if (isOwn) undoButton.current?.focus()
  }, [isOwn])
  useUndoKey(hasUndoKey ? onUndo : undefined)
  const [heldForMs] = useState(() => limits.sendHoldMs - (held.until - Date.now()))
  return (
    <Panel role="group" aria-label="Sending" sx={{ '&::after': { animationDelay: `${-heldForMs}ms` } }}>
      {/* A timer is not announced each second. The focused button is described by it. */}
      <Typography id={id} role="timer" className="text">
        {textOf(held, seconds, withTitle)}
      </Typography>
      <Button
        ref={undoButton}
        variant="outlined"
        color="secondary"
        aria-describedby={id}
        {...(hasUndoKey && { 'aria-keyshortcuts': 'Alt+Z', title: 'Alt+Z' })}
        onClick={onUndo}
      >
        Undo
      </Button>
      <Button onClick={onSendNow}>Send now</Button>
    </Panel>
  )
}

/** The confirmed sends that can still be taken back, from whichever tab of this admin. */
export const HeldSends = ({
  own,
}: {
  /** Its form is on the page, so its title is. */ readonly own?: NotificationId | undefined
}) => {
  const { held, sendNow, undo } = useHeldSends()
  return held.map((some, index) => (
    <HeldSendPanel
      key={some.notificationId}
      held={some}
      withTitle={some.notificationId !== own}
      hasUndoKey={index === held.length - 1}
      onUndo={() => void undo(some.notificationId)}
      onSendNow={() => void sendNow(some.notificationId)}
    />
  ))
}
