import { changePassword, updateProfile } from '@portal/contracts/auth/profile-http'
import type { User } from '@portal/contracts/auth/user'
import { type Language, languageSchema } from '@portal/contracts/shared/languages'
import { z } from 'zod'
import { call, type Failure } from '../../lib/http.ts'

type PasswordForm = {
  readonly currentPassword: string
  readonly newPassword: string
  readonly confirmPassword: string
}
type ProfileForm = PasswordForm & { readonly fullName: string; readonly notificationLanguage?: Language | undefined }

/** What is kept of an unsaved form: no password. */
export const keptProfile = {
  name: 'profile',
  fields: z.object({ fullName: z.string().optional(), notificationLanguage: languageSchema.optional() }),
  isPersonal: true,
}

const passwordsDiffer = "Passwords don't match!"

const passwordFields = changePassword.body.shape

const messageOf = (rule: z.ZodType, value: string): string | undefined =>
  rule.safeParse(value).error?.issues[0]?.message

/** Whether the user wants to change the password: one filled field makes all required. */
export const changesPassword = (form: PasswordForm): boolean =>
  [form.currentPassword, form.newPassword, form.confirmPassword].some((text) => text !== '')

const checkPasswords = (form: PasswordForm, context: z.RefinementCtx): void => {
  const addError = (field: keyof PasswordForm, message: string | undefined) => {
    if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message })
  }
  const weakness = messageOf(passwordFields.newPassword, form.newPassword)
  addError('currentPassword', messageOf(passwordFields.currentPassword, form.currentPassword))
  addError('newPassword', weakness)
  if (weakness === undefined && form.newPassword !== form.confirmPassword) addError('confirmPassword', passwordsDiffer)
}

const passwords = z.object({ currentPassword: z.string(), newPassword: z.string(), confirmPassword: z.string() })

export const passwordForm = passwords.superRefine(checkPasswords)

/** The form of the profile: the name and, optionally, a new password. */
export const profileForm = passwords.extend(updateProfile.body.shape).superRefine((form, context) => {
  if (changesPassword(form)) checkPasswords(form, context)
})

export const savePassword = ({ currentPassword, newPassword }: PasswordForm) =>
  call(changePassword, { body: { currentPassword, newPassword } })

export const saveName = (fullName: string, notificationLanguage?: Language) =>
  call(updateProfile, { body: { fullName, ...(notificationLanguage && { notificationLanguage }) } })

/** `named`: the saved user; null if the name was not saved. */
type Saved =
  | { readonly kind: 'saved'; readonly named: User | null }
  | { readonly kind: 'rejected'; readonly named: User | null; readonly failure: Failure }

/** Saves name and language first: it is the least likely to fail, and saving it twice is harmless. */
export const saveProfile = async (form: ProfileForm): Promise<Saved> => {
  const name = await saveName(form.fullName, form.notificationLanguage)
  if (!name.success) return { kind: 'rejected', named: null, failure: name }
  const named = name.data.user
  if (!changesPassword(form)) return { kind: 'saved', named }
  const changed = await savePassword(form)
  return changed.success ? { kind: 'saved', named } : { kind: 'rejected', named, failure: changed }
}

/** The error to show: the message of a rejection or network failure, or a default. */
export const reasonOf = ({ code, message, isNetworkError }: Failure): string =>
  (isNetworkError || (code !== undefined && code !== 'internal')) && message !== ''
    ? message
    : 'Failed to update profile'
