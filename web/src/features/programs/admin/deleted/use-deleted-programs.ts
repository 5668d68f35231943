import { listDeletedPrograms, type DeletedProgram } from '@portal/contracts/catalog/deleted-programs'
import { useEffect } from 'react'
import { call, type Answer } from '../../../../lib/http.ts'
import type { Apply } from '../../apply-catalog-change.ts'
import { useCatalogQuery } from '../../use-catalog-query.ts'

const load = async (signal: AbortSignal): Promise<Answer<readonly DeletedProgram[]>> => {
  const answer = await call(listDeletedPrograms, { signal })
  return answer.success ? { success: true, data: answer.data.data } : answer
}

const applyToDeleted: Apply<readonly DeletedProgram[]> = (deleted, change) =>
  change.kind === 'program-saved' ? deleted.filter(({ _id }) => _id !== change.program._id) : deleted

/** The programs that can be restored, kept up to date. None while they load and after a failure, which is only logged. */
export const useDeletedPrograms = () => {
  const { state, reload } = useCatalogQuery({
    key: ['deleted-programs'],
    request: load,
    apply: applyToDeleted,
    // The message does not say who deleted the program.
    needsRequest: ({ kind }) => kind === 'program-removed',
  })
  const failure = state.kind === 'failed' ? state.failure.message : undefined
  useEffect(() => {
    if (failure !== undefined) console.error('Loading deleted programs failed', failure)
  }, [failure])
  return { deleted: state.kind === 'loaded' ? state.data : [], reload }
}
