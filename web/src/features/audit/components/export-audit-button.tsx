import { type AuditFilter, exportAudit } from '@portal/contracts/notifications/audit'
import { useState } from 'react'
import { downloadFile } from '../../../lib/download.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'

/** Downloads what the filter selects as a CSV file. */
export const ExportAuditButton = ({ filter }: { readonly filter: AuditFilter }) => {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const download = async () => {
    setBusy(true)
    const failure = await downloadFile(exportAudit, { query: filter }, 'who-did-what.csv')
    setBusy(false)
    if (failure) toast.error(failure.message || 'Failed to export the list', { subject: 'export' })
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
