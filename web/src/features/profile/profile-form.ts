import { changePassword, updateProfile } from '@portal/contracts/auth/http'
import type { User } from '@portal/contracts/auth/user'
import { z } from 'zod'
import { call, type Failure } from '../../lib/http.ts'

type ProfileForm = {
  readonly fullName: string
  readonly currentPassword: string
  readonly newPassword: string
  readonly confirmPassword: string
}

const passwordsDiffer = "Passwords don't match!"

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

export const saveName = (fullName: string) => call(updateProfile, { body: { fullName } })

/** `named`: the user as recorded now; null if the name was not saved. */
type Saved =
  | { readonly kind: 'saved'; readonly named: User | null }
  | { readonly kind: 'refused'; readonly named: User | null; readonly failure: Failure }

/** Saves the name first: it is the least likely to fail, and saving it twice does no harm. */
export const saveProfile = async (form: ProfileForm): Promise<Saved> => {
  const name = await saveName(form.fullName)
  if (!name.success) return { kind: 'refused', named: null, failure: name }
  const named = name.data.user
  if (!wantsPassword(form)) return { kind: 'saved', named }
  const { currentPassword, newPassword } = form
  const changed = await call(changePassword, { body: { currentPassword, newPassword } })
  return changed.success ? { kind: 'saved', named } : { kind: 'refused', named, failure: changed }
}

/** Why a profile was not saved: the message of the server or of the network, where it concerns what was typed. */
export const reasonOf = ({ code, message, isNetworkError }: Failure): string =>
  (isNetworkError || (code !== undefined && code !== 'internal')) && message !== ''
    ? message
    : 'Failed to update profile'
