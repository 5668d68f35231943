import { listUniversities } from '@portal/contracts/catalog/http'
import { call } from '../../../lib/http.ts'
import { useAnswer } from '../../../lib/use-answer.ts'

const loadPartners = (signal: AbortSignal) => call(listUniversities, { signal })

export const usePartners = () => useAnswer(loadPartners)
