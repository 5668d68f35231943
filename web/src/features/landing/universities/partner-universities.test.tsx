import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, deferredAnswer, type FakeServer } from '../../../testing/fake-server.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { desktopPx, phonePx, setWindowWidth } from '../../../testing/window-width.ts'
import { PartnerUniversities } from './partner-universities.tsx'

let server: FakeServer
const show = () => renderPages({ '/': <PartnerUniversities /> }, '/')
const university = (n: number, name: string) => ({
  _id: `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  name,
})
const partners = { status: 200, body: [university(1, 'Hill University'), university(2, 'Lake College')] }

describe('the partner universities', () => {
  beforeEach(() => {
    server = fakeServer()
  })
  afterEach(() => {
    cleanup()
    setWindowWidth(desktopPx)
    vi.unstubAllGlobals()
  })

  it('[H-6] are shown by name, also to visitors', async () => {
    const held = deferredAnswer()
    server.on('GET /api/universities', held.handler)
    show()
    expect(screen.getByRole('status', { name: 'Loading universities' })).not.toBeNull()
    held.release(partners)
    expect(await screen.findByText('Hill University')).not.toBeNull()
    expect(screen.getByText('Lake College')).not.toBeNull()
    expect(server.requests[0]?.headers.has('Authorization')).toBe(false)
  })

  it('[H-6] are six shields on a phone, and all in a sheet with a search', async () => {
    setWindowWidth(phonePx)
    const names = Array.from({ length: 116 }, (_, n) => `College ${n + 1}`)
    server.on('GET /api/universities', () => ({ status: 200, body: names.map((name, n) => university(n, name)) }))
    show()
    const user = userEvent.setup()
    const grid = await screen.findByRole('list', { name: 'Partner universities' })
    expect(within(grid).getAllByRole('listitem')).toHaveLength(6)
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
    const opener = screen.getByRole('button', { name: 'All 116 universities' })
    await user.click(opener)
    const sheet = within(await screen.findByRole('dialog', { name: 'Partner universities' }))
    expect(sheet.getAllByRole('listitem')).toHaveLength(116)
    await user.type(sheet.getByRole('searchbox', { name: 'Search universities' }), '11 college')
    expect(sheet.getByText('8 of 116 universities')).toBeDefined()
    await user.type(sheet.getByRole('searchbox', { name: 'Search universities' }), 'x')
    expect(sheet.getByText('No university matches “11 collegex”.')).toBeDefined()
    await user.click(sheet.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('can be reloaded after a failure, and show a text if there are none', async () => {
    show()
    await screen.findByText('Failed to load universities. Please try again.')
    server.on('GET /api/universities', () => ({ status: 200, body: [] }))
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The first partners will be named here soon.')).not.toBeNull()
  })
})
