import { apiKeyCreatedSchema, apiKeyRevokedSchema, apiKeyUsedSchema } from '@portal/contracts/auth/events'
import { z } from 'zod'

/** The keys of one admin. */
export const apiKeyEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ApiKeyCreated'), data: apiKeyCreatedSchema }),
  z.object({ type: z.literal('ApiKeyRevoked'), data: apiKeyRevokedSchema }),
])
export type ApiKeyEvent = z.infer<typeof apiKeyEventSchema>

/** In a stream of each key. Whichever process accepts the key records it (platform/src/session/api-key-record.ts). */
export const apiKeyUseEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ApiKeyUsed'), data: apiKeyUsedSchema }),
])
