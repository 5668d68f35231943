import type { Failure } from '../../../../lib/http.ts'

/** What the form says below: that something is done, or that it failed, with the server's own words where it had a reason. */
export type Notice =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string; readonly detail?: string; readonly remedy?: Remedy }

/** What may be done about it, right beside the message. */
type Remedy = { readonly text: string; readonly run: () => void }

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

/** A save that was made from what is no longer there is refused; what is there now can be loaded around what was typed. */
export const saveNotice = (failure: Failure, load: () => void): Notice =>
  failure.errors?.['revision'] === undefined
    ? failureNotice(failure, 'Failed to save program')
    : {
        kind: 'failed',
        text: 'Failed to save program',
        detail: `${failure.message}. Load what is there now: what you have typed stays.`,
        remedy: { text: 'Load what is there now', run: load },
      }
