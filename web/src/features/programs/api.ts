import { getMyProgram, getProgram, listMyPrograms, listPrograms } from '@portal/contracts/catalog/http'
import { call } from '../../lib/http.ts'

export const loadPrograms = (signal: AbortSignal) => call(listPrograms, { signal })

export const loadProgram = (id: string, signal: AbortSignal) => call(getProgram, { params: { id }, signal })

export const loadEnrollments = (signal: AbortSignal) => call(listMyPrograms, { signal })

export const loadEnrolledProgram = (id: string, signal: AbortSignal) => call(getMyProgram, { params: { id }, signal })
