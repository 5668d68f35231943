import { useEffect, useState } from 'react'

/** A typed value once nothing has been typed for a moment. */
export const useSettled = (value: string, afterMs: number): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
