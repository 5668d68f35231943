import { exportPeople } from '@portal/contracts/notifications/people'
import { useState } from 'react'
import { downloadFile } from '../../../lib/download.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { filterOf, type PeopleQuery } from './people-query.ts'

/** Downloads the users whom the filter selects as a CSV file. */
export const ExportPeople = ({ query }: { readonly query: PeopleQuery }) => {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const download = async () => {
    setBusy(true)
    const failure = await downloadFile(exportPeople, { query: filterOf(query) }, 'users.csv')
    setBusy(false)
    if (failure) toast.error(failure.message || 'Failed to export the users', { subject: 'export' })
  }
  return (
    <BusyButton busy={busy} busyText="Exporting…" variant="outlined" color="secondary" onClick={() => void download()}>
      Export CSV
    </BusyButton>
  )
}
