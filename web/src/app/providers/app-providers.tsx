import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Provider as StoreProvider } from 'jotai'
import { QueryScopeProvider } from '../../lib/query-scope.tsx'
import { ToastRegion } from '../../ui/toast/toast-region.tsx'
import { modeStorageKey, theme } from '../theme/theme.ts'
import { styleCache } from './style-cache.ts'

/**
 * The store, the session's query cache, the theme and the toasts. The style sheet of the theme is inlined by
 * build/index-html.tsx.
 */
export const AppProviders = ({ children }: { children: ReactNode }) => (
  <StoreProvider>
    <CacheProvider value={styleCache}>
      <ThemeProvider
        theme={theme}
        defaultMode="system"
        modeStorageKey={modeStorageKey}
        noSsr
        disableTransitionOnChange
        disableStyleSheetGeneration
      >
        <QueryScopeProvider>{children}</QueryScopeProvider>
        <ToastRegion />
      </ThemeProvider>
    </CacheProvider>
  </StoreProvider>
)
