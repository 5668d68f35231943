// First: what it asks comes before what the router hears.
import '../lib/history-guard.ts'
import { BrowserRouter } from 'react-router-dom'
import { NewPageFocus } from './new-page-focus.tsx'
import { PageAnnouncer } from './page-announcer.tsx'
import { PageFailure } from './page-failure.tsx'
import { AppProviders } from './providers/app-providers.tsx'
import { AppRoutes } from './router.tsx'

export const App = () => (
  <AppProviders>
    <BrowserRouter>
      <NewPageFocus />
      <PageAnnouncer />
      <PageFailure>
        <AppRoutes />
      </PageFailure>
    </BrowserRouter>
  </AppProviders>
)
