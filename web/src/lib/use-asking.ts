import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer } from './http.ts'

/**
 * Asks on entry, whenever `ask` is another function, and `again`. Only the answer to the last question is handed on, and none to
 * whoever has left. `isCutOff`: it failed for want of a network, see useRetryOnline. Both functions must be the same between
 * renders.
 */
export const useAsking = <T>(
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  onAnswer: (answer: Answer<T>) => void,
) => {
  const [isCutOff, setCutOff] = useState(false)
  const last = useRef<AbortController>(undefined)

  const again = useCallback(async (): Promise<Answer<T>> => {
    const given = new AbortController()
    last.current = given
    const answer = await ask(given.signal)
    if (last.current === given && !given.signal.aborted) {
      setCutOff(!answer.success && answer.isNetworkError === true)
      onAnswer(answer)
    }
    return answer
  }, [ask, onAnswer])

  useEffect(() => {
    void again()
    return () => last.current?.abort()
  }, [again])

  return { again, isCutOff }
}
