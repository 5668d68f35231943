import { type Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { typedError, unavailable } from './messages.ts'

/** What a test can make the stand-in do. 'silent': calls are taken and never answered; 'lose-answers': so many appends; 'index-in':
 * appends are on their way for so long; 'fail-appends': they fail as with a full disk, until 'serve'; 'hold-scavenges': they wait until 'release-scavenges'. */
export type StandInCommand =
  | { readonly name: 'drop-connections' }
  | { readonly name: 'refuse' }
  | { readonly name: 'be-silent' }
  | { readonly name: 'serve' }
  | { readonly name: 'lose-answers'; readonly appends: number }
  | { readonly name: 'index-in'; readonly ms: number }
  | { readonly name: 'fail-appends' }
  | { readonly name: 'hold-scavenges' }
  | { readonly name: 'release-scavenges' }

type State = {
  mode: 'serving' | 'refusing' | 'silent'
  answersToLose: number
  failsAppends: boolean
}

/** What tests make the stand-in do wrong. With a login it refuses everybody else. */
export const createFaults = (login: { readonly user: string; readonly password: string } | undefined) => {
  const state: State = { mode: 'serving', answersToLose: 0, failsAppends: false }
  const authorization = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

  /** What stands against serving a call: an error, 'silent', or nothing. */
  const obstacle = (metadata: Metadata, asks: 'user' | 'anybody'): ServiceError | 'silent' | undefined => {
    if (state.mode === 'silent') return 'silent'
    if (state.mode === 'refusing') return unavailable()
    if (authorization === undefined || asks === 'anybody') return undefined
    if (metadata.get('authorization')[0] === authorization) return undefined
    return typedError(status.UNAUTHENTICATED, 'Who are you?', 'access-denied')
  }

  return {
    state,
    losesAnswer: (): boolean => {
      if (state.answersToLose === 0) return false
      state.answersToLose -= 1
      return true
    },
    /** Serves or refuses a call, or leaves it without an answer. */
    serve: (
      metadata: Metadata,
      refuse: (error: ServiceError) => void,
      work: () => void,
      asks: 'user' | 'anybody' = 'user',
    ): void => {
      const stopped = obstacle(metadata, asks)
      if (stopped === undefined) work()
      else if (stopped !== 'silent') refuse(stopped)
    },
  }
}
export type Faults = ReturnType<typeof createFaults>
