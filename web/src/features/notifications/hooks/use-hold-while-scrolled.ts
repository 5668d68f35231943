import { useEffect } from 'react'
import { useAtomValue, useSetAtom } from '../../../lib/jotai.ts'
import { holdAtom, releaseAtom } from '../atoms.ts'

/** px from the top within which a reader counts as being at the top. */
const topPx = 24

/** Arrivals are held back while the reader has scrolled, and shown when they come back to the top. */
export const useHoldWhileScrolled = () => {
  const setHold = useSetAtom(holdAtom)
  const release = useSetAtom(releaseAtom)
  const hold = useAtomValue(holdAtom)

  useEffect(() => {
    const look = () => setHold(window.scrollY > topPx)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      window.removeEventListener('scroll', look)
      setHold(false)
    }
  }, [setHold])

  useEffect(() => {
    if (!hold) release()
  }, [hold, release])
}
