import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ErrorState } from '../ui/states.tsx'

type Props = { readonly children: ReactNode }
type State = { readonly failed: boolean }

/** A page that breaks says so and offers a way on, instead of leaving the screen empty. (React knows this as a class only.) */
export class PageFailure extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error('A page failed', error, info.componentStack)
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return <ErrorState text="This page could not be shown." onRetry={() => window.location.reload()} />
  }
}
