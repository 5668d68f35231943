import { z } from 'zod'

/** Title and message in a second language, as recorded and as admins read it. Its readers are those who chose the language. */
export const translationSchema = z.object({
  /** BCP 47. Text, so that the languages of later releases are readable. */
  lang: z.string(),
  title: z.string(),
  message: z.string(),
})
export type Translation = z.infer<typeof translationSchema>
