import { z } from 'zod'
import { apiKeyIdSchema } from '../shared/ids.ts'
import { apiKeyRights } from './api-key-rights.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { limits, requiredLine } from '../shared/rules.ts'
import * as accountError from './account-errors.ts'
import * as error from './errors.ts'

/** Routes of an admin's own API keys. A key sends notifications and reads their results in the name of its admin. */

export const maxApiKeys = 10
const maxLabelChars = 60

export const apiKeyNotFound = routeError('not-found', 'There is no such API key')
export const tooManyApiKeys = routeError('conflict', `You have ${maxApiKeys} API keys. Revoke one to create another.`)

export const apiKeySchema = z.object({
  id: apiKeyIdSchema,
  /** What the admin calls it. */
  label: z.string(),
  rights: z.array(z.enum(apiKeyRights)),
  createdAt: z.iso.datetime(),
  /** The day of the last call, in UTC. Absent if the key was never used. */
  lastUsedOn: z.iso.date().optional(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/admin/api-keys',
  access: 'admin',
  summary: 'Your API keys that are valid, newest first',
  response: z.object({ success: z.literal(true), apiKeys: z.array(apiKeySchema) }),
})

const noRights = 'Please choose what the key can do'

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/admin/api-keys',
  access: 'admin',
  summary: 'Create an API key. Takes your password. The answer is the only one that has the key itself',
  body: z.object({
    label: requiredLine('Label', maxLabelChars),
    rights: z
      .array(z.enum(apiKeyRights, 'rights must be send or read-results'), noRights)
      .min(1, noRights)
      .max(apiKeyRights.length, 'Please name each right once')
      .refine((rights) => new Set(rights).size === rights.length, 'Please name each right once'),
    password: z
      .string(accountError.ownPasswordRequired.message)
      .min(1, accountError.ownPasswordRequired.message)
      .max(limits.passwordChars, error.wrongPassword.message),
  }),
  response: z.object({ success: z.literal(true), apiKey: apiKeySchema, key: z.string() }),
  errors: [tooManyApiKeys, error.wrongPassword, accountError.tooManyPasswordChecks('15 minutes'), error.busy],
})

export const revokeApiKey = defineRoute({
  method: 'DELETE',
  path: '/admin/api-keys/:id',
  access: 'admin',
  summary: 'Revoke an API key of yours. It stops working at once',
  params: z.object({ id: apiKeyIdSchema }),
  response: doneSchema,
  errors: [apiKeyNotFound],
})
