// Imported first: its history listeners must run before those of the router.
import '../lib/history-guard.ts'
import '../lib/install-offer.ts'
import type { ComponentType, ReactNode } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { ScrollAndFocus, RouteAnnouncer } from './route-change.tsx'
import { PageErrorBoundary } from './page-error-boundary.tsx'
import { AppProviders } from './providers/app-providers.tsx'
import { AppRoutes } from './router.tsx'

type AppProps = {
  /** The build renders pages with a router of its own. */
  readonly Router?: ComponentType<{ readonly children: ReactNode }>
}

export const App = ({ Router = BrowserRouter }: AppProps) => (
  <AppProviders>
    <Router>
      <ScrollAndFocus />
      <RouteAnnouncer />
      <PageErrorBoundary>
        <AppRoutes />
      </PageErrorBoundary>
    </Router>
  </AppProviders>
)
