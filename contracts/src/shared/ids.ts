import { z } from 'zod'

/**
 * Branded identifiers. Every id on the wire is one of these; a plain string is never an id.
 * Ids are lower-case UUIDs (version 7 where the portal makes them, so that they sort by time).
 */
const uuid = () => z.uuid('The id is not valid').toLowerCase()

export const userIdSchema = uuid().brand<'UserId'>()
export type UserId = z.infer<typeof userIdSchema>

export const notificationIdSchema = uuid().brand<'NotificationId'>()
export type NotificationId = z.infer<typeof notificationIdSchema>

export const universityIdSchema = uuid().brand<'UniversityId'>()
export type UniversityId = z.infer<typeof universityIdSchema>

export const sessionIdSchema = uuid().brand<'SessionId'>()
export type SessionId = z.infer<typeof sessionIdSchema>

/** `_id` of a program, by which it is addressed. Its `programId` is a code for people; see ../catalog/program.ts. */
export const programIdSchema = uuid().brand<'ProgramId'>()
export type ProgramId = z.infer<typeof programIdSchema>

export const toolIdSchema = uuid().brand<'ToolId'>()
export type ToolId = z.infer<typeof toolIdSchema>

export const factIdSchema = uuid().brand<'FactId'>()
export type FactId = z.infer<typeof factIdSchema>
