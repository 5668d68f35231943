import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useLocation, type InitialEntry } from 'react-router-dom'
import { AppProviders } from '../app/providers/app-providers.tsx'
import { ThemeStyles } from './styles.tsx'

const Elsewhere = () => {
  const { pathname, search } = useLocation()
  return <p>{`At ${pathname}${search}`}</p>
}

/** Renders pages at their addresses in the product's providers. Any other address renders its own path. */
export const renderPages = (pages: Readonly<Record<string, ReactNode>>, at: InitialEntry) =>
  render(
    <AppProviders>
      <ThemeStyles />
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          {Object.entries(pages).map(([path, page]) => (
            <Route key={path} path={path} element={page} />
          ))}
          <Route path="*" element={<Elsewhere />} />
        </Routes>
      </MemoryRouter>
    </AppProviders>,
  )
