import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState } from 'react'
import { BusyButton } from './busy-button.tsx'

type ConfirmDialogProps = {
  readonly open: boolean
  /** The question, in full. */
  readonly question: string
  /** What will happen, where the question does not say. */
  readonly consequence?: string | undefined
  readonly confirmText: string
  readonly cancelText?: string
  readonly busy?: boolean
  readonly destructive?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be taken back. The safe answer has the focus. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const id = useId()
  const { open } = props
  // While it fades it says what it said: who opened it may have forgotten already what it was about.
  const [asked, setAsked] = useState(props)
  if (open && asked !== props) setAsked(props)
  const { question, consequence, confirmText, cancelText = 'Cancel', busy = false, destructive = false } = asked
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
      {consequence !== undefined && (
        <DialogContent>
          <DialogContentText id={`${id}-consequence`}>{consequence}</DialogContentText>
        </DialogContent>
      )}
      <DialogActions>
        <Button variant="text" color="secondary" autoFocus onClick={props.onCancel}>
          {cancelText}
        </Button>
        <BusyButton busy={busy} color={destructive ? 'error' : 'primary'} onClick={props.onConfirm}>
          {confirmText}
        </BusyButton>
      </DialogActions>
    </Dialog>
  )
}
