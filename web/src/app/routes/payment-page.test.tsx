import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSession } from '../../lib/session.ts'
import { aProgram, fakeCatalog, programIdOf } from '../../testing/fake-catalog.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { fakeServer, deferredAnswer, type FakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { PaymentPage } from './payment-page.tsx'

const id = programIdOf(1)
const enrollCall = `POST /programs/${id}/enroll`
const user = userEvent.setup()
let server: FakeServer
let view: ReturnType<typeof renderPages>

const open = (state?: unknown) => {
  view = renderPages({ '/payment': <PaymentPage /> }, { pathname: '/payment', state })
}
const openBooking = () => open({ registration: true, _id: id })

beforeEach(() => {
  startSession({ user: aUser(), token: 'a-token' })
  const catalog = fakeCatalog([aProgram(1)])
  server = fakeServer()
  server.on(`GET /programs/${id}`, () => ok({ data: catalog.find(id) }))
  server.on(enrollCall, () => ok({ data: catalog.enroll(id).enrollment }))
  server.on('GET /user/my-programs', () => ok({ programs: catalog.enrollments(), data: catalog.enrollments() }))
})
afterEach(() => {
  view.unmount()
  vi.unstubAllGlobals()
})

describe('the payment page without router state', () => {
  it('[Y-1 Y-2 Y-5 Y-7 Y-8 Y-9] shows the payment history with every status and the fee breakdown, and sends no request', () => {
    open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Payment History')
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
    expect(rows).toHaveLength(4)
    for (const status of ['Completed', 'Pending', 'Failed'])
      expect(rows.some((row) => row?.endsWith(status))).toBe(true)
    expect(rows[0]).toContain('Minor in Artificial Intelligence₹15,000Second installment, semester 2Dec 5, 2026')
    expect(screen.getByText('Sample records: online payment isn’t available yet.')).toBeDefined()
    expect(server.requests).toEqual([])

    const breakdown = within(screen.getByRole('region', { name: 'Fee breakdown, semester 2' }))
    const terms = breakdown.getAllByRole('term').map((term) => term.textContent)
    expect(terms).toEqual(['Tuition fee', 'Laboratory fee', 'Development fee', 'Total', 'Due date'])
    const values = breakdown.getAllByRole('definition').map((value) => value.textContent)
    expect(values).toEqual(['₹11,000', '₹2,500', '₹1,500', '₹15,000', 'Dec 5, 2026'])
  })

  it('[Y-3] ignores an invalid state', () => {
    for (const state of [{ registration: false, _id: id }, { registration: true, _id: 'nonsense' }, { _id: id }, 'x']) {
      open(state)
      expect([state, screen.getByRole('heading', { level: 1 }).textContent]).toEqual([state, 'Payment History'])
      view.unmount()
    }
  })
})

describe('the payment page with registration state', () => {
  it('[Y-3 Y-4 G-60] shows the one-time registration fee of the program', async () => {
    openBooking()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Book your Seat')
    await screen.findByText('Minor 1')
    expect(screen.getByText('One-time registration fee')).toBeDefined()
    expect(screen.getByText('₹1,000')).toBeDefined()
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '3 semesters',
      'Online',
      '₹45,000',
    ])
    expect(screen.getByText(/^You will not be charged now\. Online payment isn’t available yet/)).toBeDefined()
    expect(screen.getByText('Reserve now, pay later')).toBeDefined()
    expect(screen.getByText(/By paying you agree to the .* of the center/)).toBeDefined()
    for (const [name, path] of [
      ['terms', '/terms'],
      ['privacy policy', '/privacy'],
    ] as const)
      expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path)
  })

  it('[P-59 Y-9] records the enrollment, shows the payment as pending, links to the program, and shows it after a reload', async () => {
    openBooking()
    await user.click(await screen.findByRole('button', { name: 'Pay ₹1,000' }))
    const done = await screen.findByRole('heading', { name: 'You’re enrolled' })
    await waitFor(() => expect(document.activeElement).toBe(done))
    expect(screen.getByText('Pending')).toBeDefined()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Seat reserved')
    expect(screen.getByText(/^You have not been charged\. Online payment isn’t available yet/)).toBeDefined()
    await user.click(screen.getByRole('link', { name: 'Go to your program' }))
    expect(screen.getByText(`At /program-details-active/${id}`)).toBeDefined()

    view.unmount()
    openBooking()
    await screen.findByRole('heading', { name: 'You’re enrolled' })
    expect(screen.queryByRole('button', { name: 'Pay ₹1,000' })).toBeNull()
  })

  it('[G-55] enrolls once on repeated taps, shows why it failed, and allows a retry', async () => {
    const held = deferredAnswer()
    server.on(enrollCall, held.handler)
    openBooking()
    const pay = await screen.findByRole('button', { name: 'Pay ₹1,000' })
    await user.dblClick(pay)
    await user.click(pay)
    expect(pay.getAttribute('aria-disabled')).toBe('true')
    expect(server.requestsTo(enrollCall)).toHaveLength(1)
    held.release(problem(503, 'unavailable', 'Not now'))
    await waitFor(() => expect(pay.getAttribute('aria-disabled')).toBeNull())

    await user.click(within(screen.getByRole('alert')).getByRole('button'))
    server.on(enrollCall, () => 'unreachable')
    await user.click(await screen.findByRole('button', { name: 'Pay ₹1,000' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Unable to connect to server. Please check your internet connection or try again later.',
    )
    await user.click(within(screen.getByRole('alert')).getByRole('button'))
    expect(screen.queryByRole('alert')).toBeNull()
    const catalog = fakeCatalog([aProgram(1)])
    server.on(enrollCall, () => ok({ data: catalog.enroll(id).enrollment }))
    await user.click(screen.getByRole('button', { name: 'Pay ₹1,000' }))
    await screen.findByRole('heading', { name: 'You’re enrolled' })
    expect(server.requestsTo(enrollCall)).toHaveLength(3)
  })

  it('[Y-4 Y-10] defaults to 1,000 rupees, and offers booking if the enrollments cannot be loaded', async () => {
    server.on('GET /user/my-programs', () => 'unreachable')
    server.on(`GET /programs/${id}`, () => ok({ data: aProgram(1, { enrollmentDetails: { fee: '' } }) }))
    openBooking()
    expect(await screen.findByRole('button', { name: 'Pay ₹1,000' })).toBeDefined()
  })

  it('says that the program does not exist', async () => {
    server.on(`GET /programs/${id}`, () => problem(404, 'not-found', 'Program not found'))
    openBooking()
    expect(await screen.findByText('Program not found')).toBeDefined()
  })

  it('shows an error with a retry if the program cannot be loaded', async () => {
    server.on(`GET /programs/${id}`, () => problem(500, 'internal', ''))
    openBooking()
    await screen.findByText('Failed to load program details')
    server.on(`GET /programs/${id}`, () => ok({ data: aProgram(1) }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Pay ₹1,000' })).toBeDefined()
  })
})
