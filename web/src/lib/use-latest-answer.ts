import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Answer, Failure } from './http.ts'
import { useRetryOnline } from './use-online.ts'

type Latest<Input, Data> = {
  readonly answered?: { readonly input: Input; readonly data: Data }
  readonly failed?: { readonly input: Input; readonly failure: Failure }
}

type LatestAnswer<Data> = {
  /** The last answer, even while the next one loads. */
  readonly data: Data | undefined
  /** The answer belongs to an earlier input. */
  readonly isStale: boolean
  /** Why the current input has no answer. */
  readonly failure: Failure | undefined
  readonly retry: () => void
}

/**
 * Requests an answer for each new input, by identity, and keeps the previous answer in the meantime. Only the latest input
 * counts. Every input but the first waits for `delayMs` without another change.
 */
export const useLatestAnswer = <Input extends object, Data>(
  input: Input | undefined,
  request: (input: Input, signal: AbortSignal) => Promise<Answer<Data>>,
  delayMs: number,
): LatestAnswer<Data> => {
  const [{ answered, failed }, setLatest] = useState<Latest<Input, Data>>({})
  const [attempt, setAttempt] = useState(0)

  const ask = useEffectEvent(async (sent: Input, signal: AbortSignal) => {
    const answer = await request(sent, signal)
    if (signal.aborted) return
    if (answer.success) setLatest({ answered: { input: sent, data: answer.data } })
    else setLatest((known) => ({ ...known, failed: { input: sent, failure: answer } }))
  })
  const delay = useEffectEvent(() => (answered === undefined ? 0 : delayMs))

  const asked = useMemo(() => (input === undefined ? undefined : { input, attempt }), [input, attempt])
  useEffect(() => {
    if (asked === undefined) return undefined
    const aborter = new AbortController()
    const timer = setTimeout(() => void ask(asked.input, aborter.signal), delay())
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [asked])

  const retry = useCallback(() => {
    setLatest(({ answered: known }) => (known ? { answered: known } : {}))
    setAttempt((n) => n + 1)
  }, [])
  const failure = failed?.input === input ? failed?.failure : undefined
  useRetryOnline(failure?.isNetworkError === true, retry)

  return {
    data: input === undefined ? undefined : answered?.data,
    isStale: answered?.input !== input,
    failure,
    retry,
  }
}
