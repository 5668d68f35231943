import type { Metadata, ServiceError } from '@grpc/grpc-js'
import { serverError } from './server-errors.ts'

/** A user of the stand-in. Others than administrators read `$all` only if its ACL names them, and no stream of the system. */
export type StandInUser = { readonly user: string; readonly password: string; readonly isAdmin?: boolean | undefined }

/** Who may make a call. */
export type CallAccess = 'public' | 'user' | 'admin' | 'reader-of-all'

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

const authorizationOf = ({ user, password }: StandInUser): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** The faults that tests inject. With users, rejects calls with other credentials, and those that their user may not make. */
export const createFaults = (users: readonly StandInUser[], mayReadAll: (user: string) => boolean) => {
  const state: State = { mode: 'serving', answersToLose: 0, failsAppends: false }

  /** The error to answer a call with, or 'silent' to leave it unanswered. Undefined if the call can be served. */
  const rejectionOf = (metadata: Metadata, access: CallAccess): ServiceError | 'silent' | undefined => {
    if (state.mode === 'silent') return 'silent'
    if (state.mode === 'refusing') return serverError('notReady')
    if (users.length === 0 || access === 'public') return undefined
    const caller = users.find((one) => metadata.get('authorization')[0] === authorizationOf(one))
    if (caller === undefined) return serverError('unauthenticated')
    const isAllowed = access === 'user' || caller.isAdmin || (access === 'reader-of-all' && mayReadAll(caller.user))
    return isAllowed ? undefined : serverError('accessDenied')
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
      access: CallAccess = 'user',
    ): void => {
      const rejection = rejectionOf(metadata, access)
      if (rejection === undefined) work()
      else if (rejection !== 'silent') reject(rejection)
    },
  }
}
export type Faults = ReturnType<typeof createFaults>
