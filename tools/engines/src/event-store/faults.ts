import { type Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { typedError, unavailable } from './messages.ts'

/**
 * What a test can make the stand-in do. 'be-silent': accepts calls and never answers. 'lose-answers': drops the answers of the next
 * appends. 'delay-appends': keeps appends in flight. 'fail-appends': fails appends as if the disk were full, until 'serve'.
 */
export type StandInCommand =
  | { readonly name: 'drop-connections' }
  | { readonly name: 'refuse' }
  | { readonly name: 'be-silent' }
  | { readonly name: 'serve' }
  | { readonly name: 'lose-answers'; readonly appends: number }
  | { readonly name: 'delay-appends'; readonly ms: number }
  | { readonly name: 'fail-appends' }

type State = {
  mode: 'serving' | 'refusing' | 'silent'
  answersToLose: number
  failsAppends: boolean
}

/** The faults that tests inject. With a login, rejects calls with other credentials. */
export const createFaults = (login: { readonly user: string; readonly password: string } | undefined) => {
  const state: State = { mode: 'serving', answersToLose: 0, failsAppends: false }
  const authorization = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

  /** The error to answer a call with, or 'silent' to leave it unanswered. Undefined if the call can be served. */
  const rejectionOf = (metadata: Metadata, access: 'user' | 'public'): ServiceError | 'silent' | undefined => {
    if (state.mode === 'silent') return 'silent'
    if (state.mode === 'refusing') return unavailable()
    if (authorization === undefined || access === 'public') return undefined
    if (metadata.get('authorization')[0] === authorization) return undefined
    return typedError(status.UNAUTHENTICATED, 'Authentication required', 'access-denied')
  }

  return {
    state,
    losesAnswer: (): boolean => {
      if (state.answersToLose === 0) return false
      state.answersToLose -= 1
      return true
    },
    /** Serves a call, rejects it, or leaves it unanswered. */
    serve: (
      metadata: Metadata,
      reject: (error: ServiceError) => void,
      work: () => void,
      access: 'user' | 'public' = 'user',
    ): void => {
      const rejection = rejectionOf(metadata, access)
      if (rejection === undefined) work()
      else if (rejection !== 'silent') reject(rejection)
    },
  }
}
export type Faults = ReturnType<typeof createFaults>
