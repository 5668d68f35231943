import type { User } from '@portal/contracts/auth/user'
import type { Failure } from '../../lib/http.ts'
import { saveName, savePassword } from './api.ts'
import { wantsPassword, type ProfileForm } from './profile-form.ts'

/** `named`: the user with the new name; null where the name was not changed, or could not be. */
export type Saved =
  | { readonly kind: 'saved'; readonly named: User | null }
  | { readonly kind: 'refused'; readonly named: User | null; readonly failure: Failure }

/**
 * The name first: it is what can go wrong least, and a repetition of it does no harm. Only a name that differs from the recorded
 * one: it may have been changed elsewhere meanwhile.
 */
export const saveProfile = async (form: ProfileForm, recordedName: string): Promise<Saved> => {
  const name = form.fullName === recordedName ? null : await saveName(form.fullName)
  if (name && !name.success) return { kind: 'refused', named: null, failure: name }
  const named = name?.data.user ?? null
  if (!wantsPassword(form)) return { kind: 'saved', named }
  const changed = await savePassword(form.currentPassword, form.newPassword)
  return changed.success ? { kind: 'saved', named } : { kind: 'refused', named, failure: changed }
}
