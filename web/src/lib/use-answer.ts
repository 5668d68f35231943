import { useCallback, useState } from 'react'
import type { Answer, Failure } from './http.ts'
import { useAsking } from './use-asking.ts'
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

  const { again, isCutOff } = useAsking(ask, take)

  const reload = useCallback((): Promise<Answer<T>> => {
    setState((before) => (before.kind === 'failed' ? { kind: 'loading' } : before))
    return again()
  }, [again])

  // What is there stays, and is not asked for behind the reader's back.
  useRetryOnline(isCutOff && state.kind === 'failed', reload)

  return { state, reload }
}
