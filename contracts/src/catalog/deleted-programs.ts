import { z } from 'zod'
import { userIdSchema } from '../shared/ids.ts'
import { defineRoute } from '../shared/route.ts'
import * as error from './errors.ts'
import { programParams, savedProgramResponse } from './http.ts'
import { programSchema } from './program.ts'

/** How long a deleted program can be restored. */
export const programRestoreMs = 86_400_000

const deletedProgramSchema = programSchema.pick({ _id: true, programId: true, programName: true }).extend({
  deletedAt: z.iso.datetime(),
  /** Absent if the deletion was recorded without it. */
  deletedBy: userIdSchema.optional(),
  restorableUntil: z.iso.datetime(),
})
export type DeletedProgram = z.infer<typeof deletedProgramSchema>

export const listDeletedPrograms = defineRoute({
  method: 'GET',
  path: '/admin/programs/deleted',
  access: 'admin',
  summary: 'The programs that can be restored, the latest deletion first',
  response: z.object({ success: z.literal(true), data: z.array(deletedProgramSchema) }),
})

export const restoreProgram = defineRoute({
  method: 'POST',
  path: '/admin/programs/:id/restore',
  access: 'admin',
  summary: 'Restore a program within 24 hours of its deletion, with its id and enrollments. Lists show it last',
  params: programParams,
  response: savedProgramResponse,
  errors: [error.programNotFound, error.restoreExpired, error.codeTakenMeanwhile, error.tooManyPrograms],
})
