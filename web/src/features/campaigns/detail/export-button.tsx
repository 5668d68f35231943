import { exportRecipients, type RecipientFilter } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { downloadFile } from '../../../lib/download.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'

type ExportButtonProps = { readonly id: NotificationId; readonly filter: RecipientFilter }

/** Downloads the recipients that the filter selects as a CSV file. */
export const ExportButton = ({ id, filter }: ExportButtonProps) => {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const download = async () => {
    setBusy(true)
    const failure = await downloadFile(exportRecipients, { params: { id }, query: filter }, `recipients-${id}.csv`)
    setBusy(false)
    if (failure) toast.error(failure.message || 'Failed to export the recipients', { subject: 'export' })
  }
  return (
    <BusyButton
      busy={busy}
      busyText="Exporting…"
      variant="outlined"
      color="secondary"
      size="small"
      onClick={() => void download()}
    >
      Export CSV
    </BusyButton>
  )
}
