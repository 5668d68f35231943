import { enrollInProgram, getProgram, listMyPrograms } from '@portal/contracts/catalog/http'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import type { ProgramId } from '@portal/contracts/shared/ids'
import { call, type Answer } from '../../lib/http.ts'

/** What one may book; with the enrolment, where one has booked it already. */
export type Seat = { readonly program: Program; readonly enrollment: Enrollment | null }

export const loadSeat = async (id: ProgramId, signal: AbortSignal): Promise<Answer<Seat>> => {
  const [program, mine] = await Promise.all([
    call(getProgram, { params: { id }, signal }),
    call(listMyPrograms, { signal }),
  ])
  if (!program.success) return program
  // Where that is not known the seat is offered: to the server a repetition is no second enrolment.
  const enrollments = mine.success ? mine.data.programs : []
  const enrollment = enrollments.find(({ programId }) => programId === id) ?? null
  return { success: true, data: { program: program.data.data, enrollment } }
}

export const enroll = (id: ProgramId) => call(enrollInProgram, { params: { id } })
