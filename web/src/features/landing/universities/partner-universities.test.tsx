import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, deferredAnswer, type FakeServer } from '../../../testing/fake-server.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
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

  it('can be reloaded after a failure', async () => {
    show()
    await screen.findByText('Failed to load universities. Please try again.')
    server.on('GET /api/universities', () => partners)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Hill University')).not.toBeNull()
  })

  it('show a text if there are none', async () => {
    server.on('GET /api/universities', () => ({ status: 200, body: [] }))
    show()
    expect(await screen.findByText('The first partners will be named here soon.')).not.toBeNull()
  })
})
