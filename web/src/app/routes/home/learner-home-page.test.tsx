import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog, programIdOf } from '../../../testing/fake-catalog.ts'
import { aUser, problem, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'
import { insertAllStyles } from '../../../testing/styles.tsx'
import { light } from '../../theme/tokens.ts'

let app: OpenApp

type Case = {
  readonly programs?: number
  /** The numbers of the programs in which the learner is enrolled. */
  readonly enrolled?: readonly number[]
  readonly user?: ReturnType<typeof aUser>
  readonly path?: string
  readonly answers?: Readonly<Record<string, FakeHandler>>
}

const open = async ({ programs = 4, enrolled = [], user = aUser(), path = '/home', answers = {} }: Case = {}) => {
  window.history.replaceState(null, '')
  const catalog = fakeCatalog(Array.from({ length: programs }, (_, n) => aProgram(n + 1)))
  for (const n of enrolled) catalog.enroll(programIdOf(n))
  app = await openApp({
    path,
    user,
    setUpInbox: (inbox) => void inbox.arrive({ title: 'Exam on Friday' }),
    answers: {
      ...catalogAnswers(catalog),
      'GET /api/universities': () => ({ status: 200, body: [] }),
      ...answers,
    },
  })
  return catalog
}

const own = () => screen.findByRole('region', { name: 'Your programs' })
/** Once the programs have a height. */
const about = async () => {
  await within(await own()).findAllByRole('link')
  return screen.findByRole('button', { name: 'About the Minor' })
}
const isBefore = (first: Element, second: Element) =>
  first.compareDocumentPosition(second) === Node.DOCUMENT_POSITION_FOLLOWING
const cover = () => screen.queryByRole('heading', { level: 2, name: /^Add a\s+Minor to\s+your degree\.$/ })
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

afterEach(() => app.close())

describe('the home of a learner', () => {
  it('[G-9] greets, then shows the own programs, also a withdrawn one, the latest notifications and the folded landing page', async () => {
    const catalog = await open({ enrolled: [2] })
    const greeting = await screen.findByRole('heading', { level: 1, name: /^Good .*, Ananya$/ })
    const card = await within(await own()).findByRole('link', { name: /Minor 2/ })
    const notification = await screen.findByText('Exam on Friday')
    const order = [greeting, card, notification, await about()]
    expect(order.every((part, n) => n === 0 || isBefore(order[n - 1] ?? part, part))).toBe(true)
    expect(cover()).toBeNull()
    const bar = within(screen.getByRole('navigation', { name: 'Main' }))
    expect(bar.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/home',
      '/my-program',
      '/notification',
      '/profile',
    ])
    expect(app.requests.map((request) => request.path)).not.toContain('/api/universities')

    expect(card.getAttribute('href')).toBe(`/program-details-active/${programIdOf(2)}`)
    await within(card).findByText('Semester 1 of 3')
    expect(within(card).getByText('Fees: Pending')).not.toBeNull()
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    app.emit('catalog:changed', catalog.remove(programIdOf(2)))
    await within(await own()).findByRole('link', { name: /Minor 2.*Withdrawn/ })
  })

  it('[P-106] shows below the status of the fees what is next, and turns it green once all is paid', async () => {
    insertAllStyles()
    const catalog = await open({ enrolled: [2] })
    const card = async () => within(await own()).findByRole('link', { name: /Minor 2/ })
    await within(await card()).findByText('Fees: Pending')
    expect(within(await card()).queryByText(/^Installment/)).toBeNull()
    await waitFor(() => expect(app.visibility.length).toBeGreaterThan(0))
    const pay = (paidPaise: number, paymentStatus: 'Pending' | 'Completed') => {
      const feeAccount = { installmentsPaise: [1_500_000, 1_500_000, 1_500_000], paidPaise }
      const changed = catalog.change(programIdOf(2), { feeAccount, paymentStatus })
      if (changed) app.emit('enrollment:changed', changed)
    }
    pay(1_500_000, 'Pending')
    await within(await card()).findByText('Installment 2 of 3 is next: ₹15,000')
    pay(4_500_000, 'Completed')
    const status = await within(await card()).findByText('Fees: Completed')
    expect(getComputedStyle(status).color).toBe(light.tones.green.text)
    expect(within(await card()).queryByText(/^Installment/)).toBeNull()
    app.emit('enrollment:ended', catalog.end(programIdOf(2)))
    await within(await own()).findByRole('link', { name: /^Choose your Minor/ })
  })

  it('shows rows from eight programs on, and links to the page of all from nine on', async () => {
    await open({ programs: 9, enrolled: numbers(9) })
    const all = await within(await own()).findByRole('link', { name: 'All 9 programs' })
    expect(all.getAttribute('href')).toBe('/my-program')
    expect(within(await own()).getAllByRole('listitem')).toHaveLength(8)
  })

  it('offers a learner without a program to choose one, with four covers', async () => {
    await open({ programs: 6 })
    const choice = await within(await own()).findByRole('link', { name: /^Choose your Minor/ })
    expect(choice.getAttribute('href')).toBe('/my-program')
    expect(choice.querySelectorAll('.stamps svg')).toHaveLength(4)
  })

  it('offers to try again if the own programs cannot be loaded', async () => {
    const catalog = await open({
      enrolled: [1],
      answers: { 'GET /user/my-programs': () => problem(500, 'internal', '') },
    })
    await within(await own()).findByText('Failed to load programs')
    app.answer('GET /user/my-programs', catalogAnswers(catalog)['GET /user/my-programs'])
    await app.user.click(within(await own()).getByRole('button', { name: 'Try again' }))
    expect(await within(await own()).findByRole('link', { name: /Minor 1/ })).not.toBeNull()
  })

  it.each([
    ['Venkatanarasimharaj Iyer', ''],
    ['Anantapadmanabhans Iyer', ', Anantapadmanabhans'],
  ])('greets %s by a first word of at most 18 characters', async (fullName, greeted) => {
    await open({ user: aUser({ fullName }) })
    const title = await screen.findByRole('heading', { level: 1 })
    expect(title.textContent).toMatch(new RegExp(`^Good (morning|afternoon|evening)${greeted}$`))
  })

  it('shows faculty members the notifications, and no programs of their own', async () => {
    await open({ user: aUser({ role: 'faculty' }) })
    await screen.findByText('Exam on Friday')
    expect(screen.queryByRole('region', { name: 'Your programs' })).toBeNull()
    expect(app.requests.map((request) => request.path)).not.toContain('/user/my-programs')
  })
})

describe('the folded landing page', () => {
  it('unfolds and folds, offers no registration, and is unfolded by a link to one of its sections', async () => {
    await open()
    await app.user.click(await about())
    await waitFor(() => expect(cover()).not.toBeNull())
    expect((await about()).getAttribute('aria-expanded')).toBe('true')
    await screen.findByRole('heading', { level: 2, name: 'Choose your Minor' })
    expect(screen.queryByRole('link', { name: 'Sign Up' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Login' })).toBeNull()
    await app.user.click(await about())
    await waitFor(() => expect(cover()).toBeNull())

    expect(screen.getByRole('link', { name: 'Questions' }).getAttribute('href')).toBe('#faq')
    // happy-dom does not follow the link.
    window.history.pushState(null, '', '#faq')
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(await screen.findByRole('heading', { level: 2, name: 'Frequently asked questions' })).not.toBeNull()
  })

  it('is unfolded after a return, because the address says so', async () => {
    await open({ path: '/home#about-minor' })
    await waitFor(() => expect(cover()).not.toBeNull())
  })
})
