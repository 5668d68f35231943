import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useEffectEvent, useState } from 'react'

/** Each keystroke would be a request. */
export const typingPauseMs = 300

/**
 * The text of a search field, and the function that changes it. Reports the trimmed text after a pause in typing, an empty
 * one at once, and follows `current`, for example when the filter is cleared.
 */
export const useTypedText = (current: string, report: (text: string) => void) => {
  const [text, setText] = useState(current)
  const [followed, setFollowed] = useState(current)
  const [reported, setReported] = useState<string | null>(null)
  if (followed !== current) {
    setFollowed(current)
    setReported(null)
    // The answer to a report may come when more has been typed, which stays.
    if (current !== reported && text.trim() !== current) setText(current)
  }
  const onPause = useEffectEvent((latest: string) => {
    const typed = latest.trim().slice(0, limits.shortTextChars)
    if (typed === current) return
    setReported(typed)
    report(typed)
  })
  useEffect(() => {
    const timer = setTimeout(() => onPause(text), text === '' ? 0 : typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText] as const
}
