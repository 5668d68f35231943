import Button from '@mui/material/Button'
import { useState, type ComponentProps } from 'react'
import { endSession } from '../../../lib/session.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { LogOutIcon } from '../../../ui/icons/log-out.tsx'
import { endServerSession } from '../api.ts'

/** Asks first. Whatever the server says, this device is signed out. */
export const LogOutButton = (props: Pick<ComponentProps<typeof Button>, 'fullWidth' | 'size'>) => {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    const answer = await endServerSession()
    if (!answer.success) console.warn('The server did not end the session', answer.message)
    endSession('logged-out')
  }
  return (
    <>
      <Button
        {...props}
        variant="outlined"
        color="secondary"
        startIcon={<LogOutIcon size={20} />}
        onClick={() => setAsking(true)}
      >
        Logout
      </Button>
      <ConfirmDialog
        open={asking}
        question="Are you sure you want to logout?"
        confirmText="Logout"
        busy={busy}
        onConfirm={confirm}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
