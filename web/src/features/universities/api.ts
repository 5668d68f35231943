import { addUniversity, listUniversities, removeUniversity, renameUniversity } from '@portal/contracts/catalog/http'
import type { UniversityId } from '@portal/contracts/shared/ids'
import { call } from '../../lib/http.ts'

export const fetchUniversities = (signal: AbortSignal) => call(listUniversities, { signal })

export const add = (name: string) => call(addUniversity, { body: { name } })

export const rename = (id: UniversityId, name: string) => call(renameUniversity, { params: { id }, body: { name } })

export const remove = (id: UniversityId) => call(removeUniversity, { params: { id } })
