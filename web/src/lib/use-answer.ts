import { useCallback, useEffect, useState } from 'react'
import type { Answer, Failure } from './http.ts'
import { useRetryOnline } from './use-online.ts'

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly data: T }

/**
 * What a call answers, asked on entry and again on `reload`. `ask` must be the same function between renders. During a reload what
 * was there stays; a reload that fails is for its caller to tell.
 */
export const useAnswer = <T>(ask: (signal: AbortSignal) => Promise<Answer<T>>) => {
  const [state, setState] = useState<Loading<T>>({ kind: 'loading' })

  const take = useCallback((answer: Answer<T>) => {
    if (answer.success) setState({ kind: 'loaded', data: answer.data })
    else setState((before) => (before.kind === 'loaded' ? before : { kind: 'failed', failure: answer }))
  }, [])

  useEffect(() => {
    const given = new AbortController()
    const load = async () => {
      const answer = await ask(given.signal)
      if (!given.signal.aborted) take(answer)
    }
    void load()
    return () => given.abort()
  }, [ask, take])

  const reload = useCallback(async (): Promise<Answer<T>> => {
    setState((before) => (before.kind === 'failed' ? { kind: 'loading' } : before))
    const answer = await ask(new AbortController().signal)
    take(answer)
    return answer
  }, [ask, take])

  useRetryOnline(state.kind === 'failed' && state.failure.isNetworkError === true, reload)

  return { state, reload }
}
