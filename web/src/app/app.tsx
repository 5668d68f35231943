// First: what it asks comes before what the router hears.
import '../lib/history-guard.ts'
import { BrowserRouter } from 'react-router-dom'
import { NewPageFocus, PageAnnouncer } from './new-page.tsx'
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
