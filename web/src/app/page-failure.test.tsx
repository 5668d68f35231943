import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPages } from '../testing/render-pages.tsx'
import { PageFailure } from './page-failure.tsx'
import { reloadForRelease } from './reload-for-release.ts'

afterEach(() => vi.restoreAllMocks())

const Broken = () => {
  throw new Error('broken')
}

test('a page that breaks says so and offers to try again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  renderPages(
    {
      '/': (
        <PageFailure>
          <Broken />
        </PageFailure>
      ),
    },
    '/',
  )
  expect(screen.getByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('This page could not be shown.'),
  )
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('a file that a release took away reloads the page once', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
  sessionStorage.clear()
  reloadForRelease()
  const miss = () => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  expect(miss()).toBe(false)
  expect(miss()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(1)
})
