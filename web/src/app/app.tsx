// Imported first: its history listeners must run before those of the router.
import '../lib/history-guard.ts'
import '../lib/install-offer.ts'
import { BrowserRouter } from 'react-router-dom'
import { ScrollAndFocus, RouteAnnouncer } from './route-change.tsx'
import { PageErrorBoundary } from './page-error-boundary.tsx'
import { AppProviders } from './providers/app-providers.tsx'
import { AppRoutes } from './router.tsx'

export const App = () => (
  <AppProviders>
    <BrowserRouter>
      <ScrollAndFocus />
      <RouteAnnouncer />
      <PageErrorBoundary>
        <AppRoutes />
      </PageErrorBoundary>
    </BrowserRouter>
  </AppProviders>
)
