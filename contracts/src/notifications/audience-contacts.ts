import { z } from 'zod'
import { roleSchema } from '../auth/user.ts'
import { userIdSchema } from '../shared/ids.ts'
import { defineRoute } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'

/** Who has an e-mail address or a student code. Also asked by the catalog, for lists of learners. */

export const contactLimit = 5_000

export const foundContactSchema = z.object({
  /** As given. */
  contact: z.string(),
  /** Absent if no account has it. */
  person: z
    .object({
      userId: userIdSchema,
      fullName: z.string(),
      role: roleSchema,
      isDeactivated: z.boolean(),
    })
    .optional(),
})
export type FoundContact = z.infer<typeof foundContactSchema>

export const findContacts = defineRoute({
  method: 'POST',
  path: '/notifications/audience/contacts',
  access: 'admin',
  summary: 'Find people by e-mail address or student code, in the order of the list',
  repetition: 'harmless',
  body: z.object({ contacts: z.array(z.string().max(limits.emailChars)).max(contactLimit) }),
  bodyLimitBytes: 2 * 1024 * 1024,
  response: z.object({ success: z.literal(true), people: z.array(foundContactSchema) }),
})
