import { useCallback, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'

/** Goes to another page after a while, unless this one has been left until then. The way back does not lead to the form. */
export const useRedirect = () => {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (to: string, afterMs: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => navigate(to, { replace: true }), afterMs)
    },
    [navigate],
  )
}
