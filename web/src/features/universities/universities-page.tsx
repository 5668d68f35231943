import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { useState } from 'react'
import { ErrorBanner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ColumnsDrawing, UnpluggedDrawing } from '../../ui/drawings.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Waiting } from '../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { AddForm } from './components/add-form.tsx'
import { UniversityRow } from './components/university-row.tsx'
import { useUniversities } from './use-universities.ts'

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  '& th': {
    ...theme.typography.subtitle2,
    padding: theme.spacing(2, 0),
    textAlign: 'left',
    color: theme.vars.palette.text.secondary,
    borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
  },
  '& th:last-of-type': { textAlign: 'right', paddingRight: theme.spacing(3) },
}))

const TableSkeleton = () => (
  <Waiting role="status" aria-label="Loading universities">
    <Skeleton variant="rounded" height={320} />
  </Waiting>
)

export const UniversitiesPage = () => {
  const universities = useUniversities()
  const [leaving, setLeaving] = useState<University | null>(null)
  const [busy, setBusy] = useState(false)
  const { state, error } = universities

  const confirmDelete = async () => {
    if (!leaving) return
    setBusy(true)
    await universities.remove(leaving)
    setBusy(false)
    setLeaving(null)
  }

  return (
    <>
      <PageTitle title="Universities" />
      {error !== null && state.kind !== 'failed' && (
        <ErrorBanner onClose={universities.clearError}>{error}</ErrorBanner>
      )}
      <AddForm onAdd={universities.add} />
      {state.kind === 'loading' && <TableSkeleton />}
      {state.kind === 'failed' && error !== null && (
        <ErrorState drawing={<UnpluggedDrawing />} text={error} onRetry={universities.reload} />
      )}
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState drawing={<ColumnsDrawing />} text="No universities found. Add one above." />
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <Table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {state.data.map((university) => (
              <UniversityRow
                key={university._id}
                university={university}
                onRename={universities.rename}
                onDelete={setLeaving}
              />
            ))}
          </tbody>
        </Table>
      )}
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
