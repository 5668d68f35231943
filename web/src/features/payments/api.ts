import { enrollInProgram, getProgram } from '@portal/contracts/catalog/http'
import type { ProgramId } from '@portal/contracts/shared/ids'
import { call } from '../../lib/http.ts'

export const loadProgram = (id: ProgramId, signal: AbortSignal) => call(getProgram, { params: { id }, signal })

export const enroll = (id: ProgramId) => call(enrollInProgram, { params: { id } })
