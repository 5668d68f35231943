import Skeleton from '@mui/material/Skeleton'
import type { University } from '@portal/contracts/catalog/http'
import { useEffect, useRef, useState } from 'react'
import { ErrorBanner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ColumnsDrawing, UnpluggedDrawing } from '../../ui/drawings.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Waiting } from '../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { AddForm } from './components/add-form.tsx'
import { UniversityTable } from './components/university-table.tsx'
import { useUniversities } from './use-universities.ts'

/** The head and four rows of the table. */
const TableSkeleton = () => (
  <Waiting role="status" aria-label="Loading universities">
    <Skeleton variant="rounded" height={48} sx={{ maxWidth: { sm: 360 }, marginBottom: 3 }} />
    <Skeleton variant="rounded" height={284} />
  </Waiting>
)

export const UniversitiesPage = () => {
  const universities = useUniversities()
  const [leaving, setLeaving] = useState<University | null>(null)
  const [busy, setBusy] = useState(false)
  const [deletions, setDeletions] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const { state, error } = universities

  const confirmDelete = async () => {
    if (!leaving) return
    setBusy(true)
    const isGone = await universities.remove(leaving)
    setBusy(false)
    setLeaving(null)
    if (isGone) setDeletions(deletions + 1)
  }

  // The button that had the focus has gone with its row.
  useEffect(() => {
    if (deletions > 0) list.current?.focus({ preventScroll: true })
  }, [deletions])

  return (
    <>
      <PageTitle title="Universities" />
      {error !== null && state.kind !== 'failed' && (
        <ErrorBanner onClose={universities.clearError}>{error}</ErrorBanner>
      )}
      <AddForm onAdd={universities.add} />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        {state.kind === 'loading' && <TableSkeleton />}
        {state.kind === 'failed' && error !== null && (
          <ErrorState drawing={<UnpluggedDrawing />} text={error} onRetry={universities.reload} />
        )}
        {state.kind === 'loaded' && state.data.length === 0 && (
          <EmptyState drawing={<ColumnsDrawing />} text="No universities found. Add one above." />
        )}
        {state.kind === 'loaded' && state.data.length > 0 && (
          <UniversityTable universities={state.data} onRename={universities.rename} onDelete={setLeaving} />
        )}
      </div>
      <ConfirmDialog
        open={leaving !== null}
        question="Are you sure you want to delete this university?"
        consequence={leaving ? `${leaving.name} will no longer be offered at registration.` : undefined}
        confirmText="Delete"
        destructive
        busy={busy}
        onConfirm={confirmDelete}
        onCancel={() => setLeaving(null)}
      />
    </>
  )
}
