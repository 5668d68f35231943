import type { Failure } from '../../lib/http.ts'

/** Why a profile was not saved: the server's words where they are about what was typed, and the network's own. */
export const reasonOf = ({ code, message, isNetworkError }: Failure): string =>
  (isNetworkError || (code !== undefined && code !== 'internal')) && message !== ''
    ? message
    : 'Failed to update profile'
