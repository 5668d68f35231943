import type { User } from '@portal/contracts/auth/user'
import type { Failure } from '../../lib/http.ts'
import { saveName, savePassword } from './api.ts'
import { wantsPassword, type ProfileForm } from './profile-form.ts'

export type Saved =
  | { readonly kind: 'saved'; readonly user: User }
  | { readonly kind: 'nothing-saved'; readonly failure: Failure }
  /** The name is saved, the password is as it was. */
  | { readonly kind: 'name-saved'; readonly user: User; readonly failure: Failure }

/** The name first: it is what can go wrong least, and a repetition of it does no harm. */
export const saveProfile = async (form: ProfileForm): Promise<Saved> => {
  const named = await saveName(form.fullName)
  if (!named.success) return { kind: 'nothing-saved', failure: named }
  const { user } = named.data
  if (!wantsPassword(form)) return { kind: 'saved', user }
  const changed = await savePassword(form.currentPassword, form.newPassword)
  return changed.success ? { kind: 'saved', user } : { kind: 'name-saved', user, failure: changed }
}
