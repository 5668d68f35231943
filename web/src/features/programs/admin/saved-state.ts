import { z } from 'zod'

const savedStateSchema = z.object({ saved: z.string() })

/** The router state of the list after a save, which highlights the saved program. */
export type SavedState = z.infer<typeof savedStateSchema>

/** One toast for the latest change of a program. */
export const programToast = 'programs'

/** The id of the program that was saved before the list was opened. */
export const savedIn = (state: unknown): string | undefined => savedStateSchema.safeParse(state).data?.saved
