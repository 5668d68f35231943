import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { Component, useEffect, type ErrorInfo, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { hasUnsentText, isReachable, PageFileError, waitForRetry } from '../lib/load-module.ts'
import { productName } from '../ui/page-title.tsx'
import { ErrorState } from '../ui/states.tsx'
import { resetFailedPages } from './lazy-page.tsx'

const text = 'Something went wrong on this page.'
const unsentMessage = 'Reload to try again. Text that you have not sent will be lost.'
const retryMs = 5_000

type Failure = 'network' | 'file' | 'broken'

/** Calls `retry` once the server answers again. */
const useRetryWhenOnline = (isOffline: boolean, retry: () => void) =>
  useEffect(() => {
    if (!isOffline) return undefined
    let isUnmounted = false
    const retryWhenReachable = async () => {
      do await waitForRetry(retryMs)
      while (!isUnmounted && !(await isReachable()))
      if (!isUnmounted) retry()
    }
    void retryWhenReachable()
    return () => {
      isUnmounted = true
    }
  }, [isOffline, retry])

const detailOf = (failure: Failure): string | undefined => {
  if (failure === 'network') return networkErrorMessage
  return failure === 'file' && hasUnsentText() ? unsentMessage : undefined
}

type FailedPageProps = { readonly failure: Failure; readonly retry: () => void }

const FailedPage = ({ failure, retry }: FailedPageProps) => {
  useRetryWhenOnline(failure === 'network', retry)
  const reloadOrRetry = async () => {
    // A reload is more reliable, but needs a reachable server and discards typed text.
    if (failure !== 'network' && !hasUnsentText() && (await isReachable())) window.location.reload()
    else retry()
  }
  return (
    <>
      <title>{`${text.slice(0, -1)} · ${productName}`}</title>
      <ErrorState isPage text={text} detail={detailOf(failure)} onRetry={() => void reloadOrRetry()} />
    </>
  )
}

type Props = { readonly visit: string; readonly children: ReactNode }
/** `on`: the history entry that failed, once it is known. Another entry renders its page again. */
type State =
  { readonly failed: false } | { readonly failed: true; readonly failure: Failure; readonly on: string | null }

/** React supports error boundaries as classes only. */
class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, failure: error instanceof PageFileError ? error.reason : 'broken', on: null }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error('A page failed', error, info.componentStack)
    resetFailedPages()
    this.setState((state) => (state.failed ? { ...state, on: this.props.visit } : state))
  }

  retry = (): void => this.setState({ failed: false })

  override render(): ReactNode {
    const { state } = this
    const { visit, children } = this.props
    if (!state.failed || (state.on !== null && state.on !== visit)) return children
    return <FailedPage failure={state.failure} retry={this.retry} />
  }
}

/** Shows an error page with a retry if a page throws or its files cannot be loaded. */
export const PageErrorBoundary = ({ children }: { readonly children: ReactNode }) => {
  const { key } = useLocation()
  return <ErrorBoundary visit={key}>{children}</ErrorBoundary>
}
