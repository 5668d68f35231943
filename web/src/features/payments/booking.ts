import { programIdSchema, type ProgramId } from '@portal/contracts/shared/ids'
import { z } from 'zod'

const bookingSchema = z.object({ registration: z.literal(true), _id: programIdSchema })

/** The programme that the reader came to register for: router state, so that it outlives a reload. */
export const bookedProgram = (routerState: unknown): ProgramId | null =>
  bookingSchema.safeParse(routerState).data?._id ?? null
