import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import FormHelperText from '@mui/material/FormHelperText'
import { useId, type FormEvent, type ReactNode } from 'react'
import { useCloseOnBack } from '../lib/history-guard.ts'
import { BusyButton } from './busy-button.tsx'

type FormDialogProps = {
  readonly title: string
  /** What submitting does, if the title does not say so. */
  readonly consequence?: ReactNode
  readonly children: ReactNode
  readonly submitText: string
  /** Default: 'Cancel'. */
  readonly cancelText?: string
  /** False if submitting only closes the dialog. */
  readonly hasCancel?: boolean
  readonly busy: boolean
  readonly destructive?: boolean
  /** Why the form was refused, if no field shows it. */
  readonly failure?: string | undefined
  readonly onSubmit: (event: FormEvent) => void
  readonly onCancel: () => void
}

/** Fields over a page, which shows it while it is needed. The first field with `autoFocus` has the focus. */
export const FormDialog = (props: FormDialogProps) => {
  const { title, consequence, children, submitText, cancelText = 'Cancel', hasCancel = true, busy } = props
  const { destructive = false, failure, onSubmit, onCancel } = props
  const id = useId()
  useCloseOnBack(true, onCancel)
  return (
    <Dialog
      open
      onClose={onCancel}
      fullWidth
      maxWidth="xs"
      // The whole dialog scrolls, because lists below a field may be higher than it.
      scroll="body"
      slotProps={{ paper: { sx: { overflowY: 'visible' } } }}
      aria-labelledby={`${id}-title`}
      {...(consequence === undefined ? {} : { 'aria-describedby': `${id}-consequence` })}
    >
      <DialogTitle id={`${id}-title`} variant="h3">
        {title}
      </DialogTitle>
      <form noValidate onSubmit={onSubmit}>
        <DialogContent sx={{ display: 'grid', gap: 4, overflowY: 'visible' }}>
          {consequence !== undefined && (
            <DialogContentText id={`${id}-consequence`} component="div">
              {consequence}
            </DialogContentText>
          )}
          {children}
          {failure !== undefined && (
            <FormHelperText error role="alert">
              {failure}
            </FormHelperText>
          )}
        </DialogContent>
        <DialogActions>
          {hasCancel && (
            <Button variant="text" color="secondary" onClick={onCancel}>
              <span>{cancelText}</span>
            </Button>
          )}
          <BusyButton type="submit" busy={busy} color={destructive ? 'error' : 'primary'}>
            {submitText}
          </BusyButton>
        </DialogActions>
      </form>
    </Dialog>
  )
}
