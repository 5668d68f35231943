import { z } from 'zod'

/** The plain success: `{success: true, message}`. */
export const doneSchema = z.object({ success: z.literal(true), message: z.string() })
export type Done = z.infer<typeof doneSchema>
