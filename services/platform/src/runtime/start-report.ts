import { z } from 'zod'

const firstAdminReportSchema = z.object({
  email: z.string(),
  password: z.string(),
  isPasswordGenerated: z.boolean(),
})
export type FirstAdminReport = z.infer<typeof firstAdminReportSchema>

/** Hides a chosen password, because the output can end up in logs. */
export const passwordToShow = ({ password, isPasswordGenerated }: FirstAdminReport): string =>
  isPasswordGenerated ? password : 'as set by ADMIN_PASSWORD'

/** Shown in production. */
export const temporaryPasswordWords =
  'It works for 72 hours. Set your own with the link of "Forgot Password", or of make admin.'

/** Sent by a process to its parent. */
export const startReportSchema = z.object({
  kind: z.literal('serving'),
  address: z.string(),
  /** The first admin, which auth creates on the first start. The parent shows it and replies with `firstAdminShown`. */
  firstAdmin: firstAdminReportSchema.optional(),
})
export type StartReport = z.infer<typeof startReportSchema>

export const firstAdminShownSchema = z.object({ kind: z.literal('first-admin-shown') })
export type FirstAdminShown = z.infer<typeof firstAdminShownSchema>
