import { getProfile } from '@portal/contracts/auth/http'
import type { User } from '@portal/contracts/auth/user'
import { useEffect } from 'react'
import { call } from '../../lib/http.ts'
import { currentSession, updateSessionUser, useSession } from '../../lib/session.ts'
import { useToast } from '../../ui/toast/atoms.ts'

/** The signed-in user: as stored at login, then as loaded from the server. */
export const useProfile = (): User | null => {
  const session = useSession()
  const toast = useToast()
  useEffect(() => {
    const controller = new AbortController()
    const load = async (): Promise<void> => {
      const before = currentSession()?.user
      const answer = await call(getProfile, { signal: controller.signal })
      if (controller.signal.aborted) return
      // A change that was saved meanwhile may be missing in the answer.
      if (answer.success && currentSession()?.user !== before) return load()
      if (answer.success) updateSessionUser(answer.data.user)
      else toast.error('Failed to load profile', { subject: 'profile' })
    }
    void load()
    return () => controller.abort()
  }, [toast])
  return session?.user ?? null
}
