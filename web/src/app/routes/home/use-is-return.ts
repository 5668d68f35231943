import { useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

const isFreshDocument = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation')
  return !entry || !('type' in entry) || entry.type === 'navigate'
}

/** Whether the reader has been at this entry of the history before: came back to it, forth, or loaded it again. */
export const useIsReturn = (): boolean => {
  const { key } = useLocation()
  const navigation = useNavigationType()
  // The first entry of a visit has no key of its own.
  const [isReturn] = useState(() => navigation === 'POP' && (key !== 'default' || !isFreshDocument()))
  return isReturn
}
