import { listUniversities } from '@portal/contracts/catalog/http'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'

const loadPartners = (signal: AbortSignal) => call(listUniversities, { signal })

export const usePartners = () => useRequestQuery({ key: ['partners'], request: loadPartners })
