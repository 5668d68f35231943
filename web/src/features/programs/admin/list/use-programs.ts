import type { Program } from '@portal/contracts/catalog/program'
import { useState } from 'react'
import { applyToPrograms } from '../../apply-catalog-change.ts'
import { useCatalogQuery } from '../../use-catalog-query.ts'
import { deleteProgram, loadPrograms, restoreProgram } from '../api.ts'
import { useDeletedPrograms } from '../deleted/use-deleted-programs.ts'

export const loadFailed = 'Failed to load programs. Please try again.'
const deleteFailed = 'Failed to delete program. Please try again.'
const restoreFailed = 'Failed to restore program. Please try again.'

/** All programs, kept up to date, their deletion and restoration. `error` is the text of the red banner. */
export const usePrograms = () => {
  const { state, reload } = useCatalogQuery({ key: ['admin-programs'], request: loadPrograms, apply: applyToPrograms })
  const { deleted, reload: reloadDeleted } = useDeletedPrograms()
  const [error, setError] = useState<string | null>(null)

  const reloadBoth = async (): Promise<void> => {
    void reloadDeleted()
    const listed = await reload()
    // An aborted reload was replaced by a later one.
    if (!listed.success && !listed.isAborted) setError(loadFailed)
  }

  const remove = async ({ _id }: Program): Promise<boolean> => {
    setError(null)
    const answer = await deleteProgram(_id)
    // 'not-found': another admin has deleted it first, which is fine.
    const isDeleted = answer.success || answer.code === 'not-found'
    if (!isDeleted) {
      setError(deleteFailed)
      return false
    }
    await reloadBoth()
    return true
  }

  /** Returns why the program was not restored. */
  const restore = async ({ _id }: Pick<Program, '_id'>): Promise<string | undefined> => {
    const answer = await restoreProgram(_id)
    if (!answer.success) return answer.code === 'conflict' ? answer.message : restoreFailed
    await reloadBoth()
    return undefined
  }

  return { state, reload, remove, restore, deleted, error, clearError: () => setError(null) }
}
