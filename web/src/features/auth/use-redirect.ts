import { useCallback, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Destination } from '../../lib/post-login-redirect.ts'

/** Goes to another page after a while, unless this one has been left until then. The way back does not lead to the form. */
export const useRedirect = () => {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    ({ to, state }: Destination, afterMs: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => navigate(to, { replace: true, state }), afterMs)
    },
    [navigate],
  )
}
