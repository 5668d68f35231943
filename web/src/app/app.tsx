import { BrowserRouter } from 'react-router-dom'
import { NewPageFocus } from './new-page-focus.tsx'
import { AppProviders } from './providers/app-providers.tsx'
import { AppRoutes } from './router.tsx'

export const App = () => (
  <AppProviders>
    <BrowserRouter>
      <NewPageFocus />
      <AppRoutes />
    </BrowserRouter>
  </AppProviders>
)
