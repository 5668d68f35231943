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
  if (followed !== current) {
    setFollowed(current)
    if (text.trim() !== current) setText(current)
  }
  const onPause = useEffectEvent((latest: string) => {
    const typed = latest.trim().slice(0, limits.shortTextChars)
    if (typed !== current) report(typed)
  })
  useEffect(() => {
    const timer = setTimeout(() => onPause(text), text === '' ? 0 : typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText] as const
}
