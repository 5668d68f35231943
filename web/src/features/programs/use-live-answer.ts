import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { Answer } from '../../lib/http.ts'
import { useSocket } from '../../lib/socket.ts'
import type { Loading } from '../../lib/use-answer.ts'
import type { Apply } from './apply-catalog-change.ts'
import { followCatalog } from './live.ts'
import { advance, nothingYet, type LiveAction, type LiveAnswer } from './live-answer.ts'

/** What has been answered, one way or the other. */
export type Settled<T> = Exclude<Loading<T>, { readonly kind: 'loading' }>

/**
 * What a call answers, kept in step with the catalogue: by the messages of the live connection, by a fetch whenever that comes
 * back, and for visitors, who have none, by a fetch when they return to the window. `ask` and `apply` must be the same
 * functions between renders.
 */
export const useLiveAnswer = <T>(ask: (signal: AbortSignal) => Promise<Answer<T>>, apply: Apply<T>) => {
  const socket = useSocket()
  const [live, tell] = useReducer(
    (before: LiveAnswer<T>, action: LiveAction<T>) => advance(before, action, apply),
    nothingYet,
  )
  const rounds = useRef(0)
  const inFlight = useRef<AbortController>(undefined)

  const load = useCallback(
    async ({ isOther }: { isOther: boolean }): Promise<Answer<T>> => {
      inFlight.current?.abort()
      const given = new AbortController()
      inFlight.current = given
      const round = ++rounds.current
      tell({ kind: 'asked', round, isOther })
      const answer = await ask(given.signal)
      if (!given.signal.aborted) tell({ kind: 'answered', round, answer })
      return answer
    },
    [ask],
  )
  const reload = useCallback(() => load({ isOther: false }), [load])

  useEffect(() => {
    if (!socket) return undefined
    // It was opened while the first answer was on its way: what happened in between nobody told.
    if (socket.connected && rounds.current > 0) void reload()
    return followCatalog(socket, {
      onChange: (change) => tell({ kind: 'changed', change }),
      onConnected: () => void reload(),
    })
  }, [socket, reload])

  useEffect(() => {
    void load({ isOther: true })
    return () => inFlight.current?.abort()
  }, [load])

  useEffect(() => {
    const refresh = () => {
      if (!socket?.connected) void reload()
    }
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [socket, reload])

  return { state: live.shown, reload }
}
