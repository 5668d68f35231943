import { useEffect, useState } from 'react'
import type { Notice } from './failure-notice.ts'

/** How long a success is told; a failure stays until it is closed or something else is tried. */
export const successBannerMs = 3000

export const useNotice = () => {
  const [notice, setNotice] = useState<Notice | null>(null)
  useEffect(() => {
    if (notice?.kind !== 'done') return undefined
    const timer = setTimeout(() => setNotice(null), successBannerMs)
    return () => clearTimeout(timer)
  }, [notice])
  return { notice, tell: setNotice }
}
