import { useCallback, useEffect, useState } from 'react'
import { useAtomValue, useSetAtom } from '../../../lib/jotai.ts'
import type { Failure } from '../../../lib/http.ts'
import { useRetryOnline } from '../../../lib/use-online.ts'
import { fetchPage } from '../api.ts'
import type { InboxView } from '../apply-changes.ts'
import { resetCountAtom, showPageAtom, viewAtom } from '../atoms.ts'

export type InboxPageState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly view: InboxView }

/** What a fetch was for; its failure is of no interest once something else is asked. */
type Asked = { readonly page: number; readonly resets: number; readonly round: number }

/** A page that keeps being overtaken by changes is fetched this often. */
const attempts = 3
/** So often pages are fetched again until they are of the feed's epoch. */
const firstAgreeMs = 1_000
const longestAgreeMs = 15_000

/** A page of the inbox, kept up to date by the live feed; fetched again on entry and whenever the feed was lost. */
export const useInboxPage = (page: number): { readonly state: InboxPageState; readonly reload: () => void } => {
  const view = useAtomValue(viewAtom)
  const resets = useAtomValue(resetCountAtom)
  const showPage = useSetAtom(showPageAtom)
  const [round, setRound] = useState(0)
  const [failure, setFailure] = useState<(Asked & { readonly failure: Failure }) | null>(null)
  const reload = useCallback(() => setRound((before) => before + 1), [])

  useEffect(() => {
    const given = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async (left: number, agreeMs = firstAgreeMs): Promise<void> => {
      const answer = await fetchPage(page, given.signal)
      if (given.signal.aborted) return
      if (!answer.success) return setFailure({ page, resets, round, failure: answer })
      const { pagination, notifications, epoch, seq, unread } = answer.data
      const outcome = showPage({ pagination, items: notifications, epoch, seq, unread })
      if (outcome === 'missed' && left > 1) return load(left - 1)
      if (outcome === 'other-epoch') timer = setTimeout(load, agreeMs, attempts, Math.min(2 * agreeMs, longestAgreeMs))
      setFailure(null)
    }
    void load(attempts)
    return () => {
      given.abort()
      clearTimeout(timer)
    }
  }, [page, resets, round, showPage])

  const failedHere = failure?.page === page && failure.resets === resets && failure.round === round
  useRetryOnline(failedHere && failure.failure.isNetworkError === true, reload)

  // What is on the screen stays there while a reload fails: it is still true, and kept in step by the feed.
  if (view?.pagination.page === page) return { state: { kind: 'loaded', view }, reload }
  if (failedHere) return { state: { kind: 'failed', failure: failure.failure }, reload }
  return { state: { kind: 'loading' }, reload }
}
