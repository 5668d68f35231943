import type { User } from '@portal/contracts/auth/user'
import type { Failure } from '../../lib/http.ts'
import { saveName, savePassword } from './api.ts'
import { wantsPassword, type ProfileForm } from './profile-form.ts'

/** `named`: the user as recorded now; null if the name was not saved. */
export type Saved =
  | { readonly kind: 'saved'; readonly named: User | null }
  | { readonly kind: 'refused'; readonly named: User | null; readonly failure: Failure }

/** Saves the name first: it is the least likely to fail, and saving it twice does no harm. */
export const saveProfile = async (form: ProfileForm): Promise<Saved> => {
  const name = await saveName(form.fullName)
  if (!name.success) return { kind: 'refused', named: null, failure: name }
  const named = name.data.user
  if (!wantsPassword(form)) return { kind: 'saved', named }
  const changed = await savePassword(form.currentPassword, form.newPassword)
  return changed.success ? { kind: 'saved', named } : { kind: 'refused', named, failure: changed }
}

/** Why a profile was not saved: the message of the server or of the network, where it concerns what was typed. */
export const reasonOf = ({ code, message, isNetworkError }: Failure): string =>
  (isNetworkError || (code !== undefined && code !== 'internal')) && message !== ''
    ? message
    : 'Failed to update profile'
