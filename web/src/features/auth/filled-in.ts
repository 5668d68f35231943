import { z } from 'zod'

/** Non-blank text; nothing else is checked while it is blank, so that each field shows one message at a time. */
export const filledIn = (label: string) =>
  z.string().refine((text) => text.trim() !== '', { error: `${label} is required`, abort: true })
