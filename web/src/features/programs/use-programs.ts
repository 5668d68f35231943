import { applyToPrograms } from './apply-catalog-change.ts'
import { loadPrograms } from './api.ts'
import { useLiveAnswer } from './use-live-answer.ts'

/** The programmes on offer, to whoever is looking. */
export const usePrograms = () => useLiveAnswer(loadPrograms, applyToPrograms)
