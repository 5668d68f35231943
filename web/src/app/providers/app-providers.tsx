import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { StoreProvider } from '../../lib/jotai.ts'
import { ToastRegion } from '../../ui/toast/toast-region.tsx'
import { modeStorageKey, theme } from '../theme/theme.ts'

/** What every screen stands on: the store, the theme, the toasts. */
export const AppProviders = ({ children }: { children: ReactNode }) => (
  <StoreProvider>
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={modeStorageKey} noSsr disableTransitionOnChange>
      <CssBaseline enableColorScheme />
      {children}
      <ToastRegion />
    </ThemeProvider>
  </StoreProvider>
)
