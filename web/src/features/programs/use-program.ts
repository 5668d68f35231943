import type { Program } from '@portal/contracts/catalog/program'
import { useCallback } from 'react'
import type { Answer } from '../../lib/http.ts'
import { loadEnrolledProgram, loadProgram } from './api.ts'
import { applyToEnrolledProgram, applyToProgram } from './apply-catalog-change.ts'
import { useLiveAnswer } from './use-live-answer.ts'

/** A programme by its address; null once it has been removed. */
export const useProgram = (id: string) => {
  const ask = useCallback(
    async (signal: AbortSignal): Promise<Answer<Program | null>> => {
      const answer = await loadProgram(id, signal)
      return answer.success ? { success: true, data: answer.data.data } : answer
    },
    [id],
  )
  return useLiveAnswer(ask, applyToProgram)
}

/** A programme that the reader is enrolled in, as it is or as it last was. */
export const useEnrolledProgram = (id: string) => {
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const answer = await loadEnrolledProgram(id, signal)
      return answer.success ? { success: true as const, data: answer.data.data } : answer
    },
    [id],
  )
  return useLiveAnswer(ask, applyToEnrolledProgram)
}
