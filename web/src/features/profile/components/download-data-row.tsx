import { downloadOwnData, ownDataFileName } from '@portal/contracts/notifications/own-data'
import { useState } from 'react'
import { downloadFile } from '../../../lib/download.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'

/** A newer toast of the download replaces the older one. */
const subject = 'own-data'

/** What the portal stores about the user, as a file. */
export const DownloadDataRow = () => {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const download = async () => {
    setBusy(true)
    const failure = await downloadFile(downloadOwnData, {}, ownDataFileName)
    setBusy(false)
    if (failure) toast.error(failure.message || 'Failed to download your data. Please try again.', { subject })
    else toast.success('Your data has been downloaded', { subject })
  }
  return (
    <div>
      What we store about you
      <BusyButton
        busy={busy}
        busyText="Collecting…"
        variant="outlined"
        color="secondary"
        size="small"
        onClick={() => void download()}
      >
        Download my data
      </BusyButton>
    </div>
  )
}
