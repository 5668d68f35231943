import { z } from 'zod'

/** Branded identifiers: lower-case UUIDs. The portal generates version 7, which sorts by time. */
const uuid = () => z.uuid('The id is not valid').toLowerCase()

export const userIdSchema = uuid().brand<'UserId'>()
export type UserId = z.infer<typeof userIdSchema>

export const notificationIdSchema = uuid().brand<'NotificationId'>()
export type NotificationId = z.infer<typeof notificationIdSchema>

/** Made by the client that begins the draft. */
export const draftIdSchema = uuid().brand<'DraftId'>()
export type DraftId = z.infer<typeof draftIdSchema>

export const templateIdSchema = uuid().brand<'TemplateId'>()
export type TemplateId = z.infer<typeof templateIdSchema>

export const universityIdSchema = uuid().brand<'UniversityId'>()
export type UniversityId = z.infer<typeof universityIdSchema>

export const sessionIdSchema = uuid().brand<'SessionId'>()
export type SessionId = z.infer<typeof sessionIdSchema>

export const apiKeyIdSchema = uuid().brand<'ApiKeyId'>()
export type ApiKeyId = z.infer<typeof apiKeyIdSchema>

export const passkeyIdSchema = uuid().brand<'PasskeyId'>()
export type PasskeyId = z.infer<typeof passkeyIdSchema>

/** The `_id` of a program. Its `programId` is a `ProgramCode`; see ../catalog/program.ts. */
export const programRecordIdSchema = uuid().brand<'ProgramRecordId'>()
export type ProgramRecordId = z.infer<typeof programRecordIdSchema>

export const learnerInvitationIdSchema = uuid().brand<'LearnerInvitationId'>()
export type LearnerInvitationId = z.infer<typeof learnerInvitationIdSchema>

export const toolIdSchema = uuid().brand<'ToolId'>()
export type ToolId = z.infer<typeof toolIdSchema>

export const factIdSchema = uuid().brand<'FactId'>()
export type FactId = z.infer<typeof factIdSchema>
