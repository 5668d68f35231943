import { z } from 'zod'
import { doneSchema } from '../shared/answer.ts'
import { universityIdSchema } from '../shared/ids.ts'
import { defineRoute } from '../shared/route.ts'
import { limits, requiredText } from '../shared/rules.ts'

export const universitySchema = z.object({ _id: universityIdSchema, name: z.string() })
export type University = z.infer<typeof universitySchema>

const nameBody = z.object({ name: requiredText('University name', limits.nameChars) })
const idParams = z.object({ id: universityIdSchema })
const universityAnswer = doneSchema.extend({ data: universitySchema })

export const listUniversities = defineRoute({
  method: 'GET',
  path: '/api/universities',
  access: 'public',
  summary: 'All universities, by name',
  response: z.array(universitySchema),
})

export const addUniversity = defineRoute({
  method: 'POST',
  path: '/api/universities',
  access: 'admin',
  summary: 'Add a university',
  body: nameBody,
  response: universityAnswer,
})

export const renameUniversity = defineRoute({
  method: 'PUT',
  path: '/api/universities/:id',
  access: 'admin',
  summary: 'Rename a university',
  params: idParams,
  body: nameBody,
  response: universityAnswer,
})

export const removeUniversity = defineRoute({
  method: 'DELETE',
  path: '/api/universities/:id',
  access: 'admin',
  summary: 'Delete a university',
  params: idParams,
  response: doneSchema,
})
