import type { Failure } from '../../../../lib/http.ts'

/** What the form says below: that something is done, or that it failed, with the server's own words where it had a reason. */
export type Notice =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string; readonly detail?: string }

/** The server has understood and will answer the same again; anything else may go better the next time. */
export const isRefusal = ({ code }: Failure): boolean =>
  code !== undefined && code !== 'internal' && code !== 'unavailable' && code !== 'too-many-requests'

/**
 * With a reason 'Failed to add tool', else 'Failed to add tool. Please try again.'; and so for the rest:
 * 'Failed to remove tool. Please try again.', 'Failed to save program. Please try again.'
 */
export const failureNotice = (failure: Failure, what: string): Notice =>
  isRefusal(failure)
    ? { kind: 'failed', text: what, detail: failure.message }
    : { kind: 'failed', text: `${what}. Please try again.` }
