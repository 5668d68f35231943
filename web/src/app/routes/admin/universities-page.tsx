import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import type { University } from '@portal/contracts/catalog/http'
import { useEffect, useRef, useState } from 'react'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ColumnsIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { AddForm } from '../../../features/universities/components/add-form.tsx'
import { UniversityTable } from '../../../features/universities/components/university-table.tsx'
import { useUniversities } from '../../../features/universities/use-universities.ts'

/** As tall as the search field, the header and four rows of the table. */
const TableSkeleton = () => (
  <DelayedFadeIn role="status" aria-label="Loading universities">
    <Skeleton variant="rounded" height={48} sx={{ maxWidth: { sm: 360 }, marginBottom: 3 }} />
    <Skeleton variant="rounded" height={284} />
  </DelayedFadeIn>
)

const Retry = ({ onRetry }: { onRetry: () => void }) => (
  <Button variant="outlined" color="inherit" onClick={onRetry}>
    Try again
  </Button>
)

/** The last change, which may have removed the focused control. */
type Change = { readonly kind: 'deleted' | 'renamed' }

const moveFocusTo = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

export const UniversitiesPage = () => {
  const { state, error, add, rename, remove } = useUniversities()
  const [toDelete, setToDelete] = useState<University | null>(null)
  const [busy, setBusy] = useState(false)
  const [changed, setChanged] = useState<Change | null>(null)
  const list = useRef<HTMLDivElement>(null)

  const confirmDelete = async () => {
    if (!toDelete) return
    setBusy(true)
    const isDeleted = await remove(toDelete)
    setBusy(false)
    setToDelete(null)
    if (isDeleted) setChanged({ kind: 'deleted' })
  }

  const renameTo = async (university: University, name: string) => {
    const isRenamed = await rename(university, name)
    if (isRenamed) setChanged({ kind: 'renamed' })
    return isRenamed
  }

  const retry = () => {
    // The focused button is removed with the message.
    moveFocusTo(list.current)
    error?.retry?.()
  }

  // A row is removed when it is deleted, or when its new name does not match the search. A focus elsewhere is left alone.
  useEffect(() => {
    if (changed?.kind === 'deleted' || (changed !== null && document.activeElement === document.body))
      moveFocusTo(list.current)
  }, [changed])

  return (
    <>
      <PageTitle title="Universities" />
      {error !== null && (
        <ErrorBanner onClose={error.close} action={error.retry && <Retry onRetry={retry} />}>
          {error.text}
        </ErrorBanner>
      )}
      <AddForm onAdd={add} />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        {state.kind === 'loading' && <TableSkeleton />}
        {state.kind === 'loaded' && state.data.length === 0 && (
          <EmptyState illustration={<ColumnsIllustration />} text="No universities found. Add one above." />
        )}
        {state.kind === 'loaded' && state.data.length > 0 && (
          <UniversityTable universities={state.data} onRename={renameTo} onDelete={setToDelete} />
        )}
      </div>
      <ConfirmDialog
        open={toDelete !== null}
        question="Are you sure you want to delete this university?"
        consequence={toDelete ? `${toDelete.name} will no longer be offered at registration.` : undefined}
        confirmText="Delete"
        destructive
        busy={busy}
        onConfirm={confirmDelete}
        onCancel={() => setToDelete(null)}
      />
    </>
  )
}
