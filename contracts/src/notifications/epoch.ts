import { z } from 'zod'

/**
 * Names one numbering of the inboxes. Sequence numbers compare within an epoch only: in another one, an inbox may be numbered
 * differently, and a client starts over. Empty from servers that have none.
 */
export const epochSchema = z.string().catch('')

/** The same, as the server promises it. */
export const promisedEpochSchema = z.string().min(1)

/** From clients. Absent from those that do not know epochs. */
export const clientEpochSchema = z.string().min(1).max(100).optional()
