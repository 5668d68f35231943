import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { University } from '@portal/contracts/catalog/http'
import { useEffect, useRef, useState } from 'react'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ColumnsIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { AddForm } from '../../../features/universities/components/add-form.tsx'
import { PasteDialog } from '../../../features/universities/components/paste-dialog.tsx'
import { UniversityTable } from '../../../features/universities/components/university-table.tsx'
import { readPastedNames, type PastedNames } from '../../../features/universities/parse-names.ts'
import { useLearnerCount } from '../../../features/universities/use-learner-count.ts'
import { countText, useUndoableChanges } from '../../../features/universities/use-undoable-changes.ts'
import { useUniversities } from '../../../features/universities/use-universities.ts'

/** This skeleton is as tall as the search field, the header and four rows of the table. */
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
  const universities = useUniversities()
  const { state, error, load, fail } = universities
  const { addOne, renameOne, removeOne, reportAdded, pinned, unpin, rowRef } = useUndoableChanges(universities)
  const [toDelete, setToDelete] = useState<University>()
  const learners = useLearnerCount(toDelete)
  const [pasted, setPasted] = useState<PastedNames>()
  const [busy, setBusy] = useState(false)
  const [changed, setChanged] = useState<Change | null>(null)
  const list = useRef<HTMLDivElement>(null)

  const confirmDelete = async () => {
    if (!toDelete) return
    setBusy(true)
    const isDeleted = await removeOne(toDelete)
    setBusy(false)
    setToDelete(undefined)
    if (isDeleted) setChanged({ kind: 'deleted' })
  }

  const renameTo = async (university: University, name: string) => {
    const renamed = await renameOne(university, name)
    if (renamed.university) setChanged({ kind: 'renamed' })
    return renamed
  }

  const readPaste = (text: string): boolean => {
    const names = readPastedNames(text, state.kind === 'loaded' ? state.data : [])
    setPasted(names)
    return names !== undefined
  }

  const showAdded = async (added: readonly University[], failure: string | undefined) => {
    await load()
    if (failure !== undefined) fail(failure)
    reportAdded(added)
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
      <PageTitle
        title="Universities"
        actions={
          state.kind === 'loaded' &&
          state.data.length > 0 && (
            // Beside the title, because toasts cover the other end.
            <Typography variant="body2" color="textSecondary" sx={{ marginRight: 'auto' }}>
              {countText(state.data.length)}
            </Typography>
          )
        }
      />
      {error !== null && (
        <ErrorBanner onClose={error.close} action={error.retry && <Retry onRetry={retry} />}>
          {error.text}
        </ErrorBanner>
      )}
      <AddForm onAdd={addOne} onPaste={readPaste} />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        {state.kind === 'loading' && <TableSkeleton />}
        {state.kind === 'loaded' && state.data.length === 0 && (
          <EmptyState illustration={<ColumnsIllustration />} text="No universities found. Add one above." />
        )}
        {state.kind === 'loaded' && state.data.length > 0 && (
          <UniversityTable
            universities={state.data}
            pinned={pinned}
            onUnpin={unpin}
            rowRef={rowRef}
            onRename={renameTo}
            onDelete={setToDelete}
          />
        )}
      </div>
      <ConfirmDialog
        open={toDelete !== undefined}
        question="Are you sure you want to delete this university?"
        consequence={
          toDelete &&
          [`${toDelete.name} will no longer be offered at registration.`, learners].filter(Boolean).join(' ')
        }
        confirmText="Delete"
        destructive
        busy={busy}
        onConfirm={confirmDelete}
        onCancel={() => setToDelete(undefined)}
      />
      <PasteDialog names={pasted} onAdded={showAdded} onClose={() => setPasted(undefined)} />
    </>
  )
}
