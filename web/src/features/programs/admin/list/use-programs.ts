import type { Program } from '@portal/contracts/catalog/program'
import { useState } from 'react'
import { applyToPrograms } from '../../apply-catalog-change.ts'
import { useCatalogQuery } from '../../use-catalog-query.ts'
import { deleteProgram, loadPrograms } from '../api.ts'

export const loadFailed = 'Failed to load programs. Please try again.'
const deleteFailed = 'Failed to delete program. Please try again.'

/** All programs, as this admin and others change them, and what is done to them here. `error` is the red banner's text. */
export const usePrograms = () => {
  const { state, reload } = useCatalogQuery({ key: ['admin-programs'], request: loadPrograms, apply: applyToPrograms })
  const [error, setError] = useState<string | null>(null)

  const remove = async ({ _id }: Program): Promise<boolean> => {
    setError(null)
    const deleted = await deleteProgram(_id)
    // Somebody else was quicker: it is gone, as was wished.
    const isGone = deleted.success || deleted.code === 'not-found'
    if (!isGone) {
      setError(deleteFailed)
      return false
    }
    const listed = await reload()
    // A later fetch may have taken its place.
    if (!listed.success && !listed.isAborted) setError(loadFailed)
    return true
  }

  return { state, reload, remove, error, clearError: () => setError(null) }
}
