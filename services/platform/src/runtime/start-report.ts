import { z } from 'zod'

/** Messages between a process and the process that has started it. */
const firstAdminReportSchema = z.object({
  email: z.string(),
  password: z.string(),
  isPasswordGenerated: z.boolean(),
})
export type FirstAdminReport = z.infer<typeof firstAdminReportSchema>

/** Output goes to logs, which must not hold a password that a person has chosen. */
export const passwordToShow = ({ password, isPasswordGenerated }: FirstAdminReport): string =>
  isPasswordGenerated ? password : 'as set by ADMIN_PASSWORD'

/** In production. */
export const temporaryPasswordWords =
  'It works for 72 hours. Set your own with the link of "Forgot Password", or of make admin.'

export const startReportSchema = z.object({
  kind: z.literal('serving'),
  address: z.string(),
  /** On the first start of a portal, from auth; to be shown and answered by `firstAdminShown`. */
  firstAdmin: firstAdminReportSchema.optional(),
})
export type StartReport = z.infer<typeof startReportSchema>

export const firstAdminShownSchema = z.object({ kind: z.literal('first-admin-shown') })
export type FirstAdminShown = z.infer<typeof firstAdminShownSchema>
