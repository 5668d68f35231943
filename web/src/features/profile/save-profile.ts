import type { User } from '@portal/contracts/auth/user'
import type { Failure } from '../../lib/http.ts'
import { saveName, savePassword } from './api.ts'
import { wantsPassword, type ProfileForm } from './profile-form.ts'

/** `named`: the user as recorded now; null where the name could not be saved. */
export type Saved =
  | { readonly kind: 'saved'; readonly named: User | null }
  | { readonly kind: 'refused'; readonly named: User | null; readonly failure: Failure }

/** The name first: it is what can go wrong least, and saving it twice does no harm. */
export const saveProfile = async (form: ProfileForm): Promise<Saved> => {
  const name = await saveName(form.fullName)
  if (!name.success) return { kind: 'refused', named: null, failure: name }
  const named = name.data.user
  if (!wantsPassword(form)) return { kind: 'saved', named }
  const changed = await savePassword(form.currentPassword, form.newPassword)
  return changed.success ? { kind: 'saved', named } : { kind: 'refused', named, failure: changed }
}
