import { Component, type ErrorInfo, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { productName } from '../ui/page-title.tsx'
import { ErrorState } from '../ui/states.tsx'

const text = 'This page could not be shown.'

type Props = { readonly visit: string; readonly children: ReactNode }
/** `on`: the visit that failed, once it is known; the next one has a try of its own. */
type State = { readonly failed: false } | { readonly failed: true; readonly on: string | null }

/** React knows this as a class only. */
class Boundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true, on: null }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error('A page failed', error, info.componentStack)
    this.setState({ failed: true, on: this.props.visit })
  }

  override render(): ReactNode {
    const { visit, children } = this.props
    if (!this.state.failed || (this.state.on !== null && this.state.on !== visit)) return children
    return (
      <>
        <title>{`${text.slice(0, -1)} · ${productName}`}</title>
        <ErrorState isPage text={text} onRetry={() => window.location.reload()} />
      </>
    )
  }
}

/** A page that breaks says so and offers a way on, instead of leaving the screen empty. */
export const PageFailure = ({ children }: { readonly children: ReactNode }) => {
  const { key } = useLocation()
  return <Boundary visit={key}>{children}</Boundary>
}
