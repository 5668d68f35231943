import { changePassword, getProfile, updateProfile } from '@portal/contracts/auth/http'
import { call } from '../../lib/http.ts'

export const fetchProfile = (signal: AbortSignal) => call(getProfile, { signal })

export const saveName = (fullName: string) => call(updateProfile, { body: { fullName } })

export const savePassword = (currentPassword: string, newPassword: string) =>
  call(changePassword, { body: { currentPassword, newPassword } })
