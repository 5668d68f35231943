import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'
import { styleCache } from './style-cache.ts'

/** Generates the styles of all components. */
export const StyleProvider = ({ children }: { readonly children: ReactNode }) => (
  <CacheProvider value={styleCache}>{children}</CacheProvider>
)
