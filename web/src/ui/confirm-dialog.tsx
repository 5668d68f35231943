import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState, type ReactNode } from 'react'
import { useCloseOnBack } from '../lib/history-guard.ts'
import { BusyButton } from './busy-button.tsx'

type ConfirmDialogProps = {
  readonly open: boolean
  /** The question, in full. */
  readonly question: string
  /** What confirming does, if the question does not say so. */
  readonly consequence?: string | undefined
  /** Fields below the consequence. */
  readonly children?: ReactNode
  readonly confirmText: string
  readonly cancelText?: string
  readonly busy?: boolean
  readonly destructive?: boolean
  /** False if the question is about Back itself. */
  readonly closesOnBack?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before an action that cannot be undone. Cancel has the focus. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const id = useId()
  const { open, closesOnBack = true } = props
  useCloseOnBack(open && closesOnBack, props.onCancel)
  // The parent may clear the text when it closes the dialog. The dialog keeps it while it fades out.
  const [shown, setShown] = useState(props)
  if (open && shown !== props) setShown(props)
  const {
    question,
    consequence,
    children,
    confirmText,
    cancelText = 'Cancel',
    busy = false,
    destructive = false,
  } = shown
  return (
    <Dialog
      open={open}
      onClose={props.onCancel}
      maxWidth="xs"
      aria-labelledby={`${id}-question`}
      {...(consequence === undefined ? {} : { 'aria-describedby': `${id}-consequence` })}
    >
      <DialogTitle id={`${id}-question`} variant="h3">
        {question}
      </DialogTitle>
      {(consequence !== undefined || children !== undefined) && (
        <DialogContent sx={{ display: 'grid', gap: 4 }}>
          {consequence !== undefined && <DialogContentText id={`${id}-consequence`}>{consequence}</DialogContentText>}
          {children}
        </DialogContent>
      )}
      <DialogActions>
        <Button variant="text" color="secondary" autoFocus onClick={props.onCancel}>
          <span>{cancelText}</span>
        </Button>
        <BusyButton busy={busy} color={destructive ? 'error' : 'primary'} onClick={props.onConfirm}>
          {confirmText}
        </BusyButton>
      </DialogActions>
    </Dialog>
  )
}
