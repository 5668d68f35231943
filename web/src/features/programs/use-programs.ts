import { useAnswer } from '../../lib/use-answer.ts'
import { loadPrograms } from './api.ts'

/** The programmes on offer, to whoever is looking. */
export const usePrograms = () => useAnswer(loadPrograms)
