import { BrowserRouter } from 'react-router-dom'
import { AppProviders } from './providers/app-providers.tsx'
import { AppRoutes } from './router.tsx'

export const App = () => (
  <AppProviders>
    <BrowserRouter>
      <AppRoutes />
    </BrowserRouter>
  </AppProviders>
)
