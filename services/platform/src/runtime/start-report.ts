import { z } from 'zod'

/** What a process that was started by another one tells it over their channel, and is told. */
export const firstAdminReportSchema = z.object({
  email: z.string(),
  password: z.string(),
  isPasswordGenerated: z.boolean(),
})
export type FirstAdminReport = z.infer<typeof firstAdminReportSchema>

/** What is printed goes to logs, where a password that somebody chose has no business. */
export const passwordToShow = ({ password, isPasswordGenerated }: FirstAdminReport): string =>
  isPasswordGenerated ? password : 'as set by ADMIN_PASSWORD'

/** In production. */
export const temporaryPasswordWords =
  'It works for 72 hours. Set your own with the link of "Forgot Password", or of make admin.'

export const startReportSchema = z.object({
  kind: z.literal('serving'),
  address: z.string(),
  /** On the very first start, from auth; to be shown, and then answered by `firstAdminShown`. */
  firstAdmin: firstAdminReportSchema.optional(),
})
export type StartReport = z.infer<typeof startReportSchema>

export const firstAdminShownSchema = z.object({ kind: z.literal('first-admin-shown') })
export type FirstAdminShown = z.infer<typeof firstAdminShownSchema>
