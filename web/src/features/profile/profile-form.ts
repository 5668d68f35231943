import { changePassword, updateProfile } from '@portal/contracts/auth/http'
import { z } from 'zod'

export type ProfileForm = {
  readonly fullName: string
  readonly currentPassword: string
  readonly newPassword: string
  readonly confirmPassword: string
}

export const passwordsDiffer = "Passwords don't match!"

const passwordFields = changePassword.body.shape

const messageOf = (rule: z.ZodType, value: string): string | undefined =>
  rule.safeParse(value).error?.issues[0]?.message

/** Whether a new password is asked for: whoever fills in any of its fields has to fill in all. */
export const wantsPassword = (form: Omit<ProfileForm, 'fullName'>): boolean =>
  [form.currentPassword, form.newPassword, form.confirmPassword].some((text) => text !== '')

/** The profile as its form has it: the name, and where it is asked for the change of the password. */
export const profileForm = z
  .object({
    fullName: updateProfile.body.shape.fullName,
    currentPassword: z.string(),
    newPassword: z.string(),
    confirmPassword: z.string(),
  })
  .superRefine((form, context) => {
    if (!wantsPassword(form)) return
    const refuse = (field: keyof ProfileForm, message: string | undefined) => {
      if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message })
    }
    const weakness = messageOf(passwordFields.newPassword, form.newPassword)
    refuse('currentPassword', messageOf(passwordFields.currentPassword, form.currentPassword))
    refuse('newPassword', weakness)
    if (weakness === undefined && form.newPassword !== form.confirmPassword) refuse('confirmPassword', passwordsDiffer)
  })
