import { z } from 'zod'
import { defineRoute, doneSchema } from '../shared/route.ts'
import { idempotencyHeaders } from '../shared/idempotency.ts'
import { universityIdSchema } from '../shared/ids.ts'
import { limits, requiredLine } from '../shared/rules.ts'
import { enrolledProgramSchema, enrollmentSchema } from './enrollment.ts'
import * as error from './errors.ts'
import { factBody, factSchema, programBody, programSchema, programUpdateBody, toolBody, toolSchema } from './program.ts'

// Services bind all routes of the catalog from this module.
export * from './picture-http.ts'

const universitySchema = z.object({ _id: universityIdSchema, name: z.string() })
export type University = z.infer<typeof universitySchema>

const nameBody = z.object({ name: requiredLine('University name', limits.nameChars) })
const idParams = z.object({ id: universityIdSchema })
const universityResponse = doneSchema.extend({ data: universitySchema })

export const listUniversities = defineRoute({
  method: 'GET',
  path: '/api/universities',
  access: 'public',
  summary: 'All universities, sorted by name',
  response: z.array(universitySchema),
})

export const addUniversity = defineRoute({
  method: 'POST',
  path: '/api/universities',
  access: 'admin',
  summary: 'Add a university',
  body: nameBody,
  response: universityResponse,
  errors: [error.universityNameTaken, error.tooManyUniversities],
})

export const renameUniversity = defineRoute({
  method: 'PUT',
  path: '/api/universities/:id',
  access: 'admin',
  summary: 'Rename a university',
  params: idParams,
  body: nameBody,
  response: universityResponse,
  errors: [error.universityNotFound, error.universityNameTaken],
})

export const removeUniversity = defineRoute({
  method: 'DELETE',
  path: '/api/universities/:id',
  access: 'admin',
  summary: 'Delete a university',
  params: idParams,
  response: doneSchema,
  errors: [error.universityNotFound],
})

/** Accepts any text: an id that is not a UUID means 'Program not found', not a validation error. */
export const programParams = z.object({ id: z.string().max(100, 'Program not found') })
const programResponse = z.object({ success: z.literal(true), data: programSchema })
export const savedProgramResponse = doneSchema.extend({ data: programSchema })

/** Fits a program with the maximum number of tools and facts at maximum length. */
const maxProgramBodyBytes = 1024 * 1024

export const listPrograms = defineRoute({
  method: 'GET',
  path: '/allprograms',
  access: 'public',
  summary: 'All programs, new and restored ones last',
  response: z.array(programSchema),
})

export const getProgram = defineRoute({
  method: 'GET',
  path: '/programs/:id',
  access: 'public',
  summary: 'One program',
  params: programParams,
  response: programResponse,
  errors: [error.programNotFound],
})

export const enrollInProgram = defineRoute({
  method: 'POST',
  path: '/programs/:id/enroll',
  access: 'signed-in',
  summary: 'Enroll in a program, or return the enrollment. Payment starts as Pending',
  params: programParams,
  response: doneSchema.extend({ data: enrollmentSchema }),
  errors: [error.notALearner, error.programNotFound, error.tooManyEnrollments],
})

export const listMyPrograms = defineRoute({
  method: 'GET',
  path: '/user/my-programs',
  access: 'signed-in',
  summary: 'Your enrollments, newest first. `data` equals `programs`',
  response: z.object({
    success: z.literal(true),
    programs: z.array(enrollmentSchema),
    data: z.array(enrollmentSchema),
  }),
})

export const getMyProgram = defineRoute({
  method: 'GET',
  path: '/user/programs/:id',
  access: 'signed-in',
  summary: 'A program of yours, or its last version if it was deleted',
  params: programParams,
  response: z.object({ success: z.literal(true), data: enrolledProgramSchema }),
  errors: [error.programNotFound],
})

export const listAdminPrograms = defineRoute({
  method: 'GET',
  path: '/admin/programs',
  access: 'admin',
  summary: 'All programs, new and restored ones last',
  response: z.object({ success: z.literal(true), data: z.array(programSchema) }),
})

export const getAdminProgram = defineRoute({
  method: 'GET',
  path: '/admin/programs/:id',
  access: 'admin',
  summary: 'One program',
  params: programParams,
  response: programResponse,
  errors: [error.programNotFound],
})

export const createProgram = defineRoute({
  method: 'POST',
  path: '/admin/programs',
  access: 'admin',
  summary: 'Add a program with its tools and facts. The same key returns the existing program',
  repetition: 'recognized',
  headers: idempotencyHeaders,
  body: programBody,
  bodyLimitBytes: maxProgramBodyBytes,
  response: savedProgramResponse,
  errors: [
    error.programNotFound,
    error.addedWithOtherContent,
    error.codeTaken,
    error.tooManyPrograms,
    error.programTooLarge,
  ],
})

export const updateProgram = defineRoute({
  method: 'PUT',
  path: '/admin/programs/:id',
  access: 'admin',
  summary: 'Replace a program with its tools and facts. With `revision`, fails if it has changed since then',
  params: programParams,
  body: programUpdateBody,
  bodyLimitBytes: maxProgramBodyBytes,
  response: savedProgramResponse,
  errors: [error.programNotFound, error.programChanged, error.codeTaken, error.programTooLarge],
})

export const removeProgram = defineRoute({
  method: 'DELETE',
  path: '/admin/programs/:id',
  access: 'admin',
  summary: 'Delete a program. Enrolled learners can still read it',
  params: programParams,
  response: doneSchema,
  errors: [error.programNotFound],
})

/** The program's revision after the change. */
const revision = programSchema.shape.revision
const toolkitResponse = doneSchema.extend({ data: z.object({ toolkit: z.array(toolSchema), revision }) })
const factsResponse = doneSchema.extend({ data: z.object({ facts: z.array(factSchema), revision }) })

export const addTool = defineRoute({
  method: 'POST',
  path: '/admin/programs/:id/toolkit',
  access: 'admin',
  summary: 'Add a tool. Returns the toolkit',
  repetition: 'recognized',
  params: programParams,
  headers: idempotencyHeaders,
  body: toolBody,
  response: toolkitResponse,
  errors: [error.programNotFound, error.keyUsed, error.tooManyTools, error.programTooLarge],
})

export const removeTool = defineRoute({
  method: 'DELETE',
  path: '/admin/programs/:id/toolkit/:toolId',
  access: 'admin',
  summary: 'Remove a tool. Returns the toolkit',
  params: programParams.extend({ toolId: z.string().max(100, 'Tool not found') }),
  response: toolkitResponse,
  errors: [error.programNotFound, error.toolNotFound],
})

export const addFact = defineRoute({
  method: 'POST',
  path: '/admin/programs/:id/facts',
  access: 'admin',
  summary: 'Add a fact. Returns all facts',
  repetition: 'recognized',
  params: programParams,
  headers: idempotencyHeaders,
  body: factBody,
  response: factsResponse,
  errors: [error.programNotFound, error.keyUsed, error.tooManyFacts, error.programTooLarge],
})

export const removeFact = defineRoute({
  method: 'DELETE',
  path: '/admin/programs/:id/facts/:factId',
  access: 'admin',
  summary: 'Remove a fact. Returns all facts',
  params: programParams.extend({ factId: z.string().max(100, 'Fact not found') }),
  response: factsResponse,
  errors: [error.programNotFound, error.factNotFound],
})
