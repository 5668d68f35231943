import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef, useState } from 'react'
import { useUndoKey } from '../../../ui/toast/use-undo-key.ts'
import { peopleText } from '../progress.ts'
import { holdMs, type HeldSend } from '../use-send-hold.ts'

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
    animation: `${shrink} ${holdMs}ms linear both`,
  },
}))

const secondsUntil = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1000))

const useSecondsLeft = (until: number): number => {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(until)), 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

type SendHoldProps = { readonly held: HeldSend; readonly onUndo: () => void; readonly onSendNow: () => void }

/** Takes the place of the send button while a confirmed send can be undone. */
export const SendHold = ({ held, onUndo, onSendNow }: SendHoldProps) => {
  const id = useId()
  const seconds = useSecondsLeft(held.until)
  const undoButton = useRef<HTMLButtonElement>(null)
  // Not autoFocus: the dialog that has just been confirmed would take the focus back.
  useEffect(() => undoButton.current?.focus(), [])
  useUndoKey(onUndo)
  return (
    <Panel role="group" aria-label="Sending">
      {/* A timer is not announced each second. The focused button is described by it. */}
      <Typography id={id} role="timer" className="text">
        Sending to {peopleText(held.count)} in {seconds} s
      </Typography>
      <Button
        ref={undoButton}
        variant="outlined"
        color="secondary"
        aria-describedby={id}
        aria-keyshortcuts="Alt+Z"
        title="Alt+Z"
        onClick={onUndo}
      >
        Undo
      </Button>
      <Button onClick={onSendNow}>Send now</Button>
    </Panel>
  )
}
