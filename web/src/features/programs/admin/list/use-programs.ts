import type { Program } from '@portal/contracts/catalog/program'
import { useState } from 'react'
import { applyToPrograms } from '../../apply-catalog-change.ts'
import { useCatalogQuery } from '../../use-catalog-query.ts'
import { deleteProgram, loadPrograms } from '../api.ts'

export const loadFailed = 'Failed to load programs. Please try again.'
const deleteFailed = 'Failed to delete program. Please try again.'

/** All programs, kept up to date, and their deletion. `error` is the text of the red banner. */
export const usePrograms = () => {
  const { state, reload } = useCatalogQuery({ key: ['admin-programs'], request: loadPrograms, apply: applyToPrograms })
  const [error, setError] = useState<string | null>(null)

  const remove = async ({ _id }: Program): Promise<boolean> => {
    setError(null)
    const deleted = await deleteProgram(_id)
    // 'not-found': another admin has deleted it first, which is fine.
    const isDeleted = deleted.success || deleted.code === 'not-found'
    if (!isDeleted) {
      setError(deleteFailed)
      return false
    }
    const listed = await reload()
    // An aborted reload was replaced by a later one.
    if (!listed.success && !listed.isAborted) setError(loadFailed)
    return true
  }

  return { state, reload, remove, error, clearError: () => setError(null) }
}
