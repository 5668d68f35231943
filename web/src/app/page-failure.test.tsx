import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Link, useParams } from 'react-router-dom'
import { renderPages } from '../testing/render-pages.tsx'
import { PageFailure } from './page-failure.tsx'
import { reloadForRelease } from './reload-for-release.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

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

test('the page that one goes to next is shown, even where it is the same one at another address', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Item = () => {
    if (useParams()['id'] === 'broken') throw new Error('broken')
    return <p>Whole</p>
  }
  const items = (
    <>
      <PageFailure>
        <Item />
      </PageFailure>
      <Link to="/items/whole">Whole one</Link>
      <Link to="/items/broken">Broken one</Link>
    </>
  )
  renderPages({ '/items/:id': items }, '/items/broken')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page could not be shown.')
  await userEvent.click(screen.getByRole('link', { name: 'Whole one' }))
  expect(screen.getByText('Whole')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Broken one' }))
  expect(screen.getByRole('alert')).toBeDefined()
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
