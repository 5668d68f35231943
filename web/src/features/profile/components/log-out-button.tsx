import Button from '@mui/material/Button'
import { useState } from 'react'
import { logOutOnServer } from '../../../lib/log-out.ts'
import { endSession } from '../../../lib/session.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { LogOutIcon } from '../../../ui/page-icons.tsx'

/** The longest wait for the server. The request continues after it. */
const logoutTimeoutMs = 2_000

/** Asks for confirmation. The session on this device ends even if the request fails. */
export const LogOutButton = () => {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await Promise.race([logOutOnServer(), new Promise((resolve) => setTimeout(resolve, logoutTimeoutMs))])
    endSession('logged-out')
  }
  return (
    <>
      <Button variant="outlined" color="secondary" startIcon={<LogOutIcon size={20} />} onClick={() => setAsking(true)}>
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
