import { exportLearners } from '@portal/contracts/notifications/learners'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { downloadFile } from '../../../../../lib/download.ts'
import { BusyButton } from '../../../../../ui/busy-button.tsx'
import { useToast } from '../../../../../ui/toast/atoms.ts'
import { filterOf, type LearnerQuery } from '../learner-query.ts'

type ExportLearnersProps = { readonly programId: ProgramRecordId; readonly query: LearnerQuery }

/** Downloads the learners whom the filter selects as a CSV file. */
export const ExportLearners = ({ programId, query }: ExportLearnersProps) => {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const download = async () => {
    setBusy(true)
    const failure = await downloadFile(
      exportLearners,
      { params: { id: programId }, query: filterOf(query) },
      'learners.csv',
    )
    setBusy(false)
    if (failure) toast.error(failure.message || 'Failed to export the learners', { subject: 'export' })
  }
  return (
    <BusyButton
      busy={busy}
      busyText="Exporting…"
      size="small"
      variant="outlined"
      color="secondary"
      onClick={() => void download()}
    >
      Export CSV
    </BusyButton>
  )
}
