import Button from '@mui/material/Button'
import type { DeletedProgram } from '@portal/contracts/catalog/deleted-programs'
import type { Program } from '@portal/contracts/catalog/program'
import { useEffect, useRef, useState } from 'react'
import { Link, NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { RecentlyDeleted } from '../../../features/programs/admin/deleted/recently-deleted.tsx'
import { programToast, savedIn } from '../../../features/programs/admin/saved-state.ts'
import { ProgramTable, ProgramTableSkeleton } from '../../../features/programs/admin/list/program-table.tsx'
import { loadFailed, usePrograms } from '../../../features/programs/admin/list/use-programs.ts'

// In the same chunk, because the first load of every visitor lists the names of chunks.
export { LearnersPage } from './learners-page.tsx'

export const AdminProgramsPage = () => {
  const { state, reload, remove, restore, deleted, error, clearError } = usePrograms()
  const toast = useToast()
  const { state: routed } = useLocation()
  // Back and a reload bring the state again, long after the save.
  const navigation = useNavigationType()
  const [saved, setSaved] = useState(() => (navigation === NavigationType.Pop ? undefined : savedIn(routed)))
  const [toDelete, setToDelete] = useState<Program | null>(null)
  const [busy, setBusy] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const [changes, setChanges] = useState(0)

  const restoreOne = async (program: Pick<Program, '_id' | 'programName'>): Promise<string | undefined> => {
    const failure = await restore(program)
    if (failure !== undefined) return failure
    toast.success(`${program.programName} restored`, { subject: programToast })
    setSaved(program._id)
    return undefined
  }

  const restoreFromList = async (program: DeletedProgram): Promise<string | undefined> => {
    const failure = await restoreOne(program)
    if (failure === undefined) setChanges((known) => known + 1)
    return failure
  }

  /** The page may have been left, so only a toast can say that it failed. */
  const undo = async (program: Program) => {
    const failure = await restoreOne(program)
    if (failure !== undefined) toast.error(failure, { subject: programToast })
  }

  const confirmDelete = async () => {
    if (!toDelete) return
    setBusy(true)
    const isDeleted = await remove(toDelete)
    setBusy(false)
    setToDelete(null)
    if (!isDeleted) return
    toast.success(`${toDelete.programName} deleted`, {
      subject: programToast,
      detail: 'It can be restored for 24 hours.',
      undo: { onUndo: () => void undo(toDelete) },
    })
    setSaved(undefined)
    setChanges((known) => known + 1)
  }

  // The button that had the focus was removed with its row.
  useEffect(() => {
    if (changes > 0) list.current?.focus({ preventScroll: true })
  }, [changes])

  return (
    <>
      <PageTitle
        title="Programs"
        actions={
          <Button component={Link} to="/admin/programs/new">
            Add New Program
          </Button>
        }
      />
      {error !== null && <ErrorBanner onClose={clearError}>{error}</ErrorBanner>}
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        {state.kind === 'loading' && <ProgramTableSkeleton />}
        {state.kind === 'failed' && (
          <ErrorState illustration={<UnpluggedIllustration />} text={loadFailed} onRetry={() => void reload()} />
        )}
        {state.kind === 'loaded' && state.data.length === 0 && (
          <EmptyState
            illustration={<BookletIllustration />}
            text="No Programs Found"
            detail="Get started by creating a new program."
          />
        )}
        {state.kind === 'loaded' && state.data.length > 0 && (
          <ProgramTable programs={state.data} saved={saved} onDelete={setToDelete} />
        )}
      </div>
      <RecentlyDeleted deleted={deleted} onRestore={restoreFromList} />
      <ConfirmDialog
        open={toDelete !== null}
        question="Are you sure you want to delete this program? This action cannot be undone."
        consequence={
          toDelete
            ? `${toDelete.programName} will no longer be offered. Enrolled learners keep read-only access.`
            : undefined
        }
        confirmText="Delete"
        destructive
        busy={busy}
        onConfirm={() => void confirmDelete()}
        onCancel={() => setToDelete(null)}
      />
    </>
  )
}
