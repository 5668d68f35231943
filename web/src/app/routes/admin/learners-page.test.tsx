import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  aLearner,
  anInvitation,
  learnerIdOf,
  serveLearners,
} from '../../../features/programs/admin/learners/testing/fake-learners.ts'
import { aProgram } from '../../../features/programs/admin/testing/programs.ts'
import { endSession, startSession } from '../../../lib/session.ts'
import { SocketContext } from '../../../lib/socket.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { aUser, ok, problem } from '../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { fakeSocket } from '../../../testing/fake-socket.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { LearnersPage } from './learners-page.tsx'
import { PersonPage } from './person-page.tsx'

const program = aProgram(1, { programName: 'Data Science', programId: 'DS-26' })
const other = aProgram(2, { programName: 'Business Analytics', programId: 'BA-26' })
const path = `/admin/programs/${program._id}/learners`
const called = (verb: string, id: string = program._id) => `POST /admin/programs/${id}/${verb}`

const asha = aLearner(1, 'Asha Rao', { enrolledBy: 'Kiran Das' })
const bela = aLearner(2, 'Bela Roy', {
  currentSemester: 'Semester 2',
  feeAccount: { installmentsPaise: [1_500_000, 1_500_000, 1_500_050], paidPaise: 1_500_000 },
})
const chand = aLearner(3, 'Chand Sen', { paymentStatus: 'Completed', currentSemester: 'Semester 3', studentCode: '' })
const dev = aLearner(4, 'Dev Nair', { state: 'deactivated', enrolledBy: '' })
const others = Array.from({ length: 51 }, (_, n) => aLearner(n + 10, `Learner ${String(n).padStart(2, '0')}`))

let server: FakeServer
let clock: ReturnType<typeof fakeClock>
let live: ReturnType<typeof fakeSocket>
let world: ReturnType<typeof serveLearners>

const serve = (learners = [asha, bela, chand, dev]) => {
  world = serveLearners(server, {
    programs: [program, other],
    learners,
    others: [aLearner(90, 'Zoya Khan'), aLearner(91, 'Yash Pal', { state: 'deactivated' })],
  })
}

beforeEach(() => {
  startSession({ user: aUser({ role: 'admin' }), token: 'a-token' })
  server = fakeServer()
  serve()
  live = fakeSocket()
  clock = fakeClock()
})
afterEach(() => {
  cleanup()
  endSession('logged-out')
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = async (search = '') => {
  renderPages(
    {
      '/admin/programs/:id/learners': (
        <SocketContext value={live.socket}>
          <LearnersPage />
        </SocketContext>
      ),
      '/admin/people/:userId': <PersonPage />,
    },
    `${path}${search}`,
  )
  await clock.flush()
}
const press = async (element: HTMLElement) => {
  await clock.user.click(element)
  await clock.flush()
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))
const inDialog = async (name: string | RegExp) => {
  await press(dialog().getByRole('button', { name }))
  // A closed dialog fades out.
  await clock.advance(500)
}
const mark = async (...names: readonly string[]) => {
  for (const name of names) await press(screen.getByRole('checkbox', { name: `Mark ${name}` }))
}
const rows = () =>
  within(screen.getByRole('table', { name: 'Learners' }))
    .getAllByRole('row')
    .slice(1)
const cellsOf = (name: string) => {
  const row = rows().find((one) => within(one).queryByRole('link', { name }))
  return (
    row &&
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  )
}
const names = () => rows().map((row) => within(row).getByRole('link').textContent)
const fates = () =>
  within(screen.getByRole('list', { name: /^What/ }))
    .getAllByRole('listitem')
    .map((one) => one.textContent)
const bodies = (call: string) => server.requestsTo(call).map(({ body }) => body)
const keys = (call: string) => server.requestsTo(call).map(({ headers }) => headers.get('idempotency-key'))
const undo = async () => {
  await press(button('Undo'))
  await clock.advance(100)
}

describe('the learners of a program', () => {
  it('[P-95] are shown in pages of 50 with their payments and semesters, searched, filtered and sorted by the server', async () => {
    serve([asha, bela, chand, dev, ...others])
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Learners' })).toBeDefined()
    expect(screen.getByText('Data Science')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Back to programs' }).getAttribute('href')).toBe('/admin/programs')
    expect(screen.getByText('55 learners')).toBeDefined()
    expect(rows()).toHaveLength(50)
    expect(cellsOf('Asha Rao')).toEqual([
      'Asha Rao',
      'asha.rao@example.com',
      'Hill University',
      asha.studentCode,
      'Jan 1, 2026by Kiran Das',
      'PendingInstallment 1 of 3 open: ₹15,000',
      'Semester 1',
    ])
    expect(cellsOf('Bela Roy')?.[5]).toBe('PendingInstallment 2 of 3 open: ₹15,000')
    expect(cellsOf('Chand Sen')?.slice(3)).toEqual(['–', 'Jan 3, 2026', 'Completed', 'Semester 3'])
    expect(cellsOf('Dev Nair')?.[0]).toBe('Dev NairDeactivated')
    expect(cellsOf('Dev Nair')?.[4]).toBe('Jan 4, 2026by a deleted account')
    await press(button('Next page'))
    expect(rows()).toHaveLength(5)

    await press(button(/^Payment completed/))
    expect(names()).toEqual(['Chand Sen'])
    await press(button(/^Payment completed/))
    await press(button('Semester 2'))
    expect(names()).toEqual(['Bela Roy'])
    expect(screen.getByText('1 of 55 learners')).toBeDefined()
    await clock.fill(screen.getByRole('searchbox', { name: 'Search learners' }), 'nobody')
    await clock.advance(300)
    await clock.flush()
    expect(screen.getByText('No one matches')).toBeDefined()
    await press(button('Show all learners'))
    expect(rows()).toHaveLength(50)

    await press(button('Name'))
    expect(names()[0]).toBe('Learner 50')
    expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
    await press(button('Payment'))
    expect(server.requestsTo(`GET ${path}`).at(-1)?.query.toString()).toBe('sort=payment&page=1&limit=50')
  })

  it('[P-95] are exported as the filter selects them', async () => {
    await open('?payment=Pending&semester=2&sort=-enrolled')
    server.on(`GET ${path}.csv`, () => problem(503, 'unavailable', 'The export is not available'))
    await press(button('Export CSV'))
    expect(server.requestsTo(`GET ${path}.csv`).map(({ query }) => query.toString())).toEqual([
      'paymentStatus=Pending&semester=2&sort=-enrolled',
    ])
    expect(screen.getByText('The export is not available')).toBeDefined()
  })

  it('lead to the page of a person and back to the same list', async () => {
    server.on(`GET /notifications/people/${bela.userId}`, () => problem(404, 'not-found', 'User not found'))
    await open('?semester=2')
    await press(screen.getByRole('link', { name: 'Bela Roy' }))
    await press(screen.getByRole('link', { name: 'Back to learners' }))
    expect(names()).toEqual(['Bela Roy'])
  })

  it('say why they cannot be loaded, that there are none, and that there is no such program', async () => {
    server.on(`GET ${path}`, () => problem(503, 'unavailable', 'The list is not available'))
    await open()
    expect(screen.getByText('Failed to load learners')).toBeDefined()
    expect(screen.getByText('The list is not available')).toBeDefined()
    serveLearners(server, { programs: [program], learners: [] })
    await press(button('Try again'))
    expect(screen.getByText('No one is enrolled yet')).toBeDefined()
    await press(button('Enroll someone'))
    expect(dialog().getByText('Enroll')).toBeDefined()
    cleanup()
    server.on(`GET ${path}`, () => problem(404, 'not-found', 'Program not found'))
    await open()
    expect(screen.getByText('Program not found')).toBeDefined()
  })

  it('[P-96] follow changes in place, also after a lost connection, and keep marks and focus', async () => {
    await open()
    await mark('Asha Rao', 'Bela Roy')
    screen.getByRole('checkbox', { name: 'Mark Bela Roy' }).focus()
    world.set(asha.userId, { paymentStatus: 'Completed' })
    await act(async () => live.emit('learners:changed', { programId: other._id }))
    await clock.flush()
    expect(cellsOf('Asha Rao')?.[5]).toMatch(/^Pending/)
    await act(async () => live.emit('learners:changed', { programId: program._id }))
    await clock.flush()
    expect(cellsOf('Asha Rao')?.[5]).toBe('Completed')
    expect(screen.getByText('2 marked')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Mark Bela Roy' }))

    // The row with the focus disappears: the focus stays in the list.
    world.set(bela.userId, null)
    live.disconnect()
    live.reconnect()
    await clock.advance(1_000)
    await clock.flush()
    expect(names()).not.toContain('Bela Roy')
    expect(document.activeElement?.contains(screen.getByRole('table'))).toBe(true)
    expect(document.activeElement).not.toBe(document.body)
    expect(screen.getByText('2 marked')).toBeDefined()
  })
})

describe('marks of learners', () => {
  it('[P-97] survive paging, cover a page at once and are cleared', async () => {
    serve([asha, bela, chand, dev, ...others])
    await open()
    const all = () => screen.getByRole('checkbox', { name: 'Mark all on this page' })
    expect(screen.queryByRole('region', { name: 'Marked learners' })).toBeNull()
    await mark('Asha Rao')
    expect(all()).toHaveProperty('indeterminate', true)
    await press(all())
    expect(screen.getByText('50 marked')).toBeDefined()
    expect(all()).toHaveProperty('checked', true)
    await press(button('Next page'))
    expect(all()).toHaveProperty('checked', false)
    await mark('Learner 50')
    expect(screen.getByText('51 marked')).toBeDefined()
    await press(button('Previous page'))
    await press(all())
    expect(screen.getByText('1 marked')).toBeDefined()
    await press(button('Clear'))
    expect(screen.queryByRole('region', { name: 'Marked learners' })).toBeNull()
    expect(document.activeElement).not.toBe(document.body)
  })
})

describe('a payment of marked learners', () => {
  it('[P-98] is previewed, confirmed with the amount that most owe, and undone', async () => {
    await open()
    await mark('Asha Rao', 'Bela Roy', 'Chand Sen')
    await press(button('Confirm payment…'))
    expect(dialog().getByText('Confirm a payment of 3 learners')).toBeDefined()
    expect(dialog().getByLabelText('Amount in rupees')).toHaveProperty('value', '15,000')
    expect(dialog().getByLabelText('Date')).toHaveProperty('value', '2026-11-21')
    await clock.fill(dialog().getByLabelText('Reference'), 'UTR 17')
    await press(dialog().getByRole('checkbox', { name: 'Tell them by a notification' }))
    world.set(bela.userId, null)
    await inDialog('Preview')
    expect(dialog().getByText('1 will be confirmed, 1 not enrolled, 1 already paid')).toBe(document.activeElement)
    expect(fates()).toEqual([
      'Bela Roybela.roy@example.comNot enrolled',
      'Chand Senchand.sen@example.comAlready paid',
      'Asha Raoasha.rao@example.comWill be confirmed',
    ])
    await inDialog('Confirm 1 payment')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('1 payment confirmed')).toBeDefined()
    const body = { userIds: [asha.userId, bela.userId, chand.userId], amount: 1_500_000, paidOn: '2026-11-21' }
    expect(bodies(called('payments'))).toEqual([
      { ...body, reference: 'UTR 17', notify: true, dryRun: true },
      { ...body, reference: 'UTR 17', notify: true, dryRun: false },
    ])
    expect(cellsOf('Asha Rao')?.[5]).toBe('PendingInstallment 2 of 3 open: ₹15,000')
    expect(screen.queryByText(/marked$/)).toBeNull()
    expect(document.activeElement).not.toBe(document.body)

    await undo()
    expect(bodies(called('payments/revert'))).toEqual([
      { userIds: [asha.userId], reason: 'Undone', paymentId: 'payment-2' },
    ])
    expect(cellsOf('Asha Rao')?.[5]).toBe('PendingInstallment 1 of 3 open: ₹15,000')
    expect(screen.getByText('Undone')).toBeDefined()
  })

  it('[P-98] can be undone for 8 seconds', async () => {
    await open()
    await mark('Asha Rao')
    await press(button('Confirm payment…'))
    await inDialog('Preview')
    await press(dialog().getByRole('button', { name: 'Confirm 1 payment' }))
    await clock.advance(7_900)
    expect(button('Undo')).toBeDefined()
    await clock.advance(200)
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(bodies(called('payments/revert'))).toEqual([])
  })

  it('[P-98] says what each owes if the amount is another, in whole paise', async () => {
    await open()
    await mark('Asha Rao')
    await press(button('Confirm payment…'))
    const amount = () => dialog().getByLabelText('Amount in rupees')
    for (const wrong of ['', 'fifteen', '15.000', '-1', '0']) {
      await clock.fill(amount(), wrong)
      await inDialog('Preview')
      expect(dialog().getByText('Please enter an amount in rupees, such as 15,000 or 15,000.50')).toBeDefined()
      expect(document.activeElement).toBe(amount())
    }
    await clock.fill(amount(), '15,000.50')
    await clock.fill(dialog().getByLabelText('Date'), '2026-11-22')
    await inDialog('Preview')
    expect(dialog().getByText('The payment date is in the future')).toBeDefined()
    expect(bodies(called('payments'))).toEqual([])
    await clock.fill(dialog().getByLabelText('Date'), '2026-11-20')
    await inDialog('Preview')
    expect(bodies(called('payments'))).toMatchObject([{ amount: 1_500_050, paidOn: '2026-11-20' }])
    expect(dialog().getByText('1 with another amount')).toBeDefined()
    expect(fates()).toEqual(['Asha Raoasha.rao@example.comOwes ₹15,000'])
    expect(dialog().queryByRole('button', { name: /^Confirm/ })).toBeNull()
    await inDialog('Back')
    expect(amount()).toHaveProperty('value', '15,000.50')
    await clock.user.keyboard('{Escape}')
    await clock.advance(500)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(button('Confirm payment…'))
    expect(screen.getByText('1 marked')).toBeDefined()
  })

  it('[P-98] shows what another admin has done meanwhile', async () => {
    await open()
    await mark('Asha Rao', 'Dev Nair')
    await press(button('Confirm payment…'))
    await inDialog('Preview')
    world.set(asha.userId, { paymentStatus: 'Completed' })
    await inDialog('Confirm 2 payments')
    expect(dialog().getByText('1 confirmed, 1 already paid')).toBeDefined()
    expect(fates()).toEqual(['Asha Raoasha.rao@example.comAlready paid', 'Dev Nairdev.nair@example.comConfirmed'])
    expect(screen.getByText('1 payment confirmed')).toBeDefined()
    await inDialog('Close')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).not.toBe(document.body)
  })

  it('[P-98] is repeated under the same key after a lost answer, and says where it failed', async () => {
    await open()
    await mark('Asha Rao')
    await press(button('Confirm payment…'))
    await inDialog('Preview')
    const answered = server.handlerOf(called('payments'))
    server.on(called('payments'), () => 'unreachable')
    await inDialog('Confirm 1 payment')
    expect(dialog().getByRole('alert').textContent).toMatch(/^Unable to connect to server/)
    if (answered) server.on(called('payments'), answered)
    await inDialog('Back')
    await inDialog('Preview')
    await inDialog('Confirm 1 payment')
    expect(screen.getByText('1 payment confirmed')).toBeDefined()
    const [preview, lost, previewAgain, repeated] = keys(called('payments'))
    expect(lost).toBe(repeated)
    expect(new Set([preview, lost, previewAgain]).size).toBe(3)
  })

  it('shows a refusal of the server at its field', async () => {
    await open()
    await mark('Asha Rao')
    await press(button('Confirm payment…'))
    server.on(called('payments'), () => ({
      status: 400,
      body: {
        success: false,
        code: 'invalid',
        message: 'The payment date is in the future',
        errors: { paidOn: 'The payment date is in the future' },
      },
    }))
    await inDialog('Preview')
    expect(dialog().getAllByText('The payment date is in the future')).toHaveLength(1)
    expect(document.activeElement).toBe(dialog().getByLabelText('Date'))
  })
})

describe('payments of a list', () => {
  const openList = async () => {
    await open()
    await press(button('Confirm payments from a list'))
  }
  const list = () => dialog().getByLabelText('List of payments')

  it('[P-99] are recognized in the statement of a bank, previewed row by row, and undone', async () => {
    await openList()
    await inDialog('Preview')
    expect(dialog().getByText('Please paste a list or choose a file')).toBeDefined()
    await clock.fill(
      list(),
      [
        'Date,Payer,Amount,Reference',
        '28-Sept-2026,asha.rao@example.com,"15,000.00",UTR1',
        `28/09/2026,${bela.studentCode},"1,000.00",UTR2`,
        '28.09.2026,nobody@example.com,₹500,UTR3',
        '28.09.2026,zoya.khan@example.com,500,',
        '28.09.2026,,"2,000.00",RENT',
      ].join('\n'),
    )
    await inDialog('Preview')
    expect(
      dialog().getByText('1 will be confirmed, 1 with another amount, 1 unknown, 1 not enrolled, 1 left out'),
    ).toBeDefined()
    expect(fates()).toEqual([
      `Bela Roy · ${bela.studentCode}₹1,000 · Sep 28, 2026 · UTR2Owes ₹15,000`,
      'nobody@example.com₹500 · Sep 28, 2026 · UTR3No account has this address',
      'Zoya Khan · zoya.khan@example.com₹500 · Sep 28, 2026Not enrolled',
      '28.09.2026,,"2,000.00",RENTNo address or student code',
      'Asha Rao · asha.rao@example.com₹15,000 · Sep 28, 2026 · UTR1Will be confirmed',
    ])
    await inDialog('Confirm 1 payment')
    expect(bodies(called('payments')).at(-1)).toMatchObject({
      contacts: [
        { contact: 'asha.rao@example.com', amount: 1_500_000, paidOn: '2026-09-28', reference: 'UTR1' },
        { contact: bela.studentCode, amount: 100_000, paidOn: '2026-09-28', reference: 'UTR2' },
        { contact: 'nobody@example.com', amount: 50_000, paidOn: '2026-09-28', reference: 'UTR3' },
        { contact: 'zoya.khan@example.com', amount: 50_000, paidOn: '2026-09-28' },
      ],
      dryRun: false,
    })
    expect(screen.getByText('1 payment confirmed')).toBeDefined()
    await undo()
    expect(bodies(called('payments/revert'))).toMatchObject([{ userIds: [asha.userId], paymentId: 'payment-2' }])
  })

  it('[P-99] can have several installments of one learner, which are undone together', async () => {
    await openList()
    const row = 'asha.rao@example.com,15000'
    await clock.fill(list(), [`${row},28.09.2026`, `${row},28.10.2026`, `${row},28.09.2026`].join('\n'))
    await inDialog('Preview')
    expect(dialog().getByText('2 will be confirmed, 1 repeated')).toBeDefined()
    expect(fates()[0]).toBe(
      'Asha Rao · asha.rao@example.com₹15,000 · Sep 28, 2026Repeated: an earlier row or payment says the same',
    )
    await inDialog('Confirm 2 payments')
    expect(screen.getByText('2 payments confirmed')).toBeDefined()
    expect(cellsOf('Asha Rao')?.[5]).toBe('PendingInstallment 3 of 3 open: ₹15,000')
    await undo()
    expect(bodies(called('payments/revert'))).toMatchObject([{ userIds: [asha.userId], paymentId: 'payment-2' }])
    expect(cellsOf('Asha Rao')?.[5]).toBe('PendingInstallment 1 of 3 open: ₹15,000')
    expect(screen.getByText('Undone')).toBeDefined()
  })

  it('[P-99] leave out what may be recorded already, unless the admin ticks otherwise', async () => {
    await openList()
    await clock.fill(list(), 'asha.rao@example.com,15000,28.09.2026')
    await inDialog('Preview')
    expect(bodies(called('payments')).at(-1)).toMatchObject({ leaveOutRepeats: true, dryRun: true })
    await inDialog('Back')
    await press(dialog().getByLabelText('Confirm also what has the day and amount of a recorded payment'))
    await inDialog('Preview')
    await inDialog('Confirm 1 payment')
    expect(bodies(called('payments')).slice(-2)).toMatchObject([
      { leaveOutRepeats: false, dryRun: true },
      { leaveOutRepeats: false, dryRun: false },
    ])
  })

  it('[P-99] show a refusal at its row', async () => {
    await openList()
    await clock.fill(list(), 'asha.rao@example.com; 15,000\nbela.roy@example.com; 15,000')
    server.on(called('payments'), () => ({
      status: 400,
      body: {
        success: false,
        code: 'invalid',
        message: 'The payment date is in the future',
        errors: { 'contacts.1.paidOn': 'The payment date is in the future' },
      },
    }))
    await inDialog('Preview')
    expect(within(dialog().getByRole('list', { name: 'Rows to correct' })).getByRole('listitem').textContent).toBe(
      'bela.roy@example.com; 15,000₹15,000The payment date is in the future',
    )
  })

  it('[P-99] can come from a file, which is not sent', async () => {
    await openList()
    const file = new File(['\uFEFFEmail;Fee\nasha.rao@example.com;15000/-'], 'paid.csv')
    await clock.user.upload(dialog().getByLabelText('File with a list'), file)
    await clock.flush()
    expect(list()).toHaveProperty('value', 'Email;Fee\nasha.rao@example.com;15000/-')
    await inDialog('Preview')
    // The date is that of the form.
    expect(fates()).toEqual(['Asha Rao · asha.rao@example.com₹15,000 · Nov 21, 2026Will be confirmed'])
  })
})

describe('what else admins do with learners', () => {
  it('[P-100] sets each to the next semester, except in the last one, and takes it back', async () => {
    await open()
    await mark('Asha Rao', 'Bela Roy', 'Chand Sen')
    await press(button('Next semester'))
    expect(dialog().getByText('Next semester for 2 learners?')).toBeDefined()
    expect(
      dialog().getByText(
        '1 learner from Semester 1 to Semester 2. 1 learner from Semester 2 to Semester 3. 1 learner stays in Semester 3, the last one.',
      ),
    ).toBeDefined()
    await inDialog('Next semester')
    expect(bodies(called('semester'))).toEqual([
      { userIds: [asha.userId], semester: 2 },
      { userIds: [bela.userId], semester: 3 },
    ])
    expect(screen.getByText('2 learners in the next semester')).toBeDefined()
    expect([cellsOf('Asha Rao')?.[6], cellsOf('Bela Roy')?.[6]]).toEqual(['Semester 2', 'Semester 3'])
    await undo()
    expect([cellsOf('Asha Rao')?.[6], cellsOf('Bela Roy')?.[6]]).toEqual(['Semester 1', 'Semester 2'])
  })

  it('says that there is no next semester', async () => {
    await open()
    await mark('Chand Sen')
    await press(button('Next semester'))
    expect(dialog().getByText('There is no next semester')).toBeDefined()
    await inDialog('OK')
    expect(bodies(called('semester'))).toEqual([])
    expect(screen.getByText('1 marked')).toBeDefined()
  })

  it('[P-100] keeps the semesters that were set if a later request fails, and repeats under the same keys', async () => {
    await open()
    await mark('Asha Rao', 'Bela Roy')
    await press(button('Next semester'))
    const answered = server.handlerOf(called('semester'))
    server.on(called('semester'), (request) =>
      server.requestsTo(called('semester')).length === 2 ? 'unreachable' : (answered?.(request) ?? 'unreachable'),
    )
    await inDialog('Next semester')
    expect(dialog().getByRole('alert').textContent).toMatch(/^Unable to connect/)
    await inDialog('Next semester')
    const [first, second, firstAgain, secondAgain] = keys(called('semester'))
    expect([firstAgain, secondAgain]).toEqual([first, second])
    expect(screen.getByText('2 learners in the next semester')).toBeDefined()
  })

  it('[P-101] sets back to pending only with a reason, and never without asking', async () => {
    await open()
    await mark('Chand Sen', 'Asha Rao')
    await press(button('Set back to pending…'))
    expect(dialog().getByText(/This action cannot be undone\.$/)).toBeDefined()
    await inDialog('Set back to pending')
    expect(dialog().getByText('Reason is required')).toBeDefined()
    expect(bodies(called('payments/revert'))).toEqual([])
    await clock.fill(dialog().getByLabelText('Reason'), 'Bounced')
    await inDialog('Set back to pending')
    expect(bodies(called('payments/revert'))).toEqual([{ userIds: [chand.userId, asha.userId], reason: 'Bounced' }])
    expect(screen.getByText('1 learner set back to pending')).toBeDefined()
    expect(screen.getByText('1 without a payment')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(cellsOf('Chand Sen')?.[5]).toMatch(/^Pending/)
  })

  it('[P-102] withdraws with a reason, and reinstates', async () => {
    await open()
    await mark('Asha Rao', 'Bela Roy')
    await press(button('Withdraw…'))
    server.on(
      called('withdraw'),
      (
        (known) => () =>
          known
      )(problem(503, 'unavailable', 'Busy')),
    )
    await clock.fill(dialog().getByLabelText('Reason'), 'Moved away')
    await inDialog('Withdraw')
    expect(dialog().getByRole('alert').textContent).toBe('Busy')
    serve([asha, bela, chand])
    await inDialog('Withdraw')
    expect(bodies(called('withdraw')).at(-1)).toEqual({ userIds: [asha.userId, bela.userId], reason: 'Moved away' })
    expect(screen.getByText('2 learners withdrawn')).toBeDefined()
    expect(names()).toEqual(['Chand Sen'])
    server.on(called('reinstate'), () => problem(503, 'unavailable', 'Busy'))
    await undo()
    expect(screen.getByText('Busy')).toBeDefined()
    serve([chand])
    await press(button('Try again'))
    expect(bodies(called('reinstate'))).toEqual([
      { userIds: [asha.userId, bela.userId] },
      { userIds: [asha.userId, bela.userId] },
    ])
    const [first, second] = keys(called('reinstate'))
    expect(first).toBe(second)
  })

  it('[P-103] moves to another program after a preview, and back', async () => {
    await open()
    await mark('Asha Rao')
    await press(button('Move…'))
    await inDialog('Preview')
    expect(dialog().getByText('Please choose a program')).toBeDefined()
    await press(dialog().getByRole('combobox', { name: 'Program' }))
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Business Analytics (BA-26)'])
    await press(screen.getByRole('option'))
    await inDialog('Preview')
    expect(fates()).toEqual(['Asha Raoasha.rao@example.comWill be moved'])
    await inDialog('Move 1 learner')
    expect(screen.getByText('1 learner moved')).toBeDefined()
    expect(names()).not.toContain('Asha Rao')
    await undo()
    expect(bodies(called('move', other._id))).toEqual([{ userIds: [asha.userId], toProgramId: program._id }])
    expect(names()).toContain('Asha Rao')
  })

  it('[P-104] enrolls people of a list, invites addresses without an account, and takes it back', async () => {
    await open()
    await press(button('Enroll'))
    await inDialog('Preview')
    expect(dialog().getByText('Please paste a list or choose a file')).toBeDefined()
    await clock.fill(
      dialog().getByLabelText('Email addresses or student codes'),
      'Name,Email\nZoya,zoya.khan@example.com\nAsha,asha.rao@example.com\nX,x@nowhere\nYash,yash.pal@example.com\nZ,zoya.khan@example.com\nNew,new@example.com',
    )
    await inDialog('Preview')
    expect(
      dialog().getByText(
        '1 will be enrolled, 1 will be invited, 1 already enrolled, 1 unknown, 1 deactivated, 1 repeated',
      ),
    ).toBeDefined()
    expect(dialog().getByText(/People without an account are invited/).textContent).not.toContain('No email goes out')
    expect(fates()).toEqual([
      'Asha Raoasha.rao@example.comAlready enrolled',
      'x@nowhereNo account has this address',
      'Yash Palyash.pal@example.comThe account is deactivated',
      'Zoya Khanzoya.khan@example.comRepeated: an earlier row or payment says the same',
      'Zoya Khanzoya.khan@example.comWill be enrolled',
      'new@example.comWill be invited',
    ])
    await inDialog('Enroll 1, invite 1')
    expect(screen.getByText('1 person enrolled, 1 invited')).toBeDefined()
    expect(screen.getByText('5 learners')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Invited (1)' })).toBeDefined()
    await undo()
    expect(bodies(called('withdraw'))).toEqual([{ userIds: [learnerIdOf(90)], reason: 'Undone' }])
    expect(bodies(called('invitations/withdraw'))).toHaveLength(1)
    expect(screen.getByText('4 learners')).toBeDefined()
    expect(screen.queryByRole('link', { name: /^Invited/ })).toBeNull()
  })

  it('[P-104] says how much of it could not be taken back', async () => {
    await open()
    await press(button('Enroll'))
    const contacts = dialog().getByLabelText('Email addresses or student codes')
    await clock.fill(contacts, 'zoya.khan@example.com\nnew@example.com')
    await inDialog('Preview')
    await inDialog('Enroll 1, invite 1')
    world.set(learnerIdOf(90), null)
    await undo()
    expect(screen.getByText('1 of 2 undone')).toBeDefined()
    expect(screen.getByText('1 not enrolled')).toBeDefined()
  })

  it('[P-105] reminds those who have not paid, from the send console', async () => {
    await open()
    expect(screen.getByRole('link', { name: 'Remind who has not paid' }).getAttribute('href')).toBe(
      `/admin/notifications?unpaid=${program._id}`,
    )
  })
})

describe('those who are invited', () => {
  const serveInvited = (count: number) =>
    serveLearners(server, {
      programs: [program, other],
      learners: [asha],
      invited: Array.from({ length: count }, (_, n) =>
        anInvitation(
          n,
          `guest${n}@example.com`,
          n === 0 ? { invitedBy: '', expiresAt: '2020-01-05T10:00:00.000Z' } : {},
        ),
      ),
    })
  const guests = () =>
    within(screen.getByRole('list', { name: 'Invited' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  it('[P-107] are listed with their invitation, a page at a time, behind “Invited ({N})”', async () => {
    serveInvited(51)
    await open()
    await press(screen.getByRole('link', { name: 'Invited (51)' }))
    expect(screen.getByRole('heading', { level: 2, name: 'Invited (51)' })).toBeDefined()
    expect(guests()).toHaveLength(50)
    expect(guests()[0]).toBe(
      'guest0@example.comExpiredInvited Jan 5, 2026 by a deleted account · expired Jan 5, 2020ResendWithdraw',
    )
    expect(guests()[1]).toContain('by Ananya Iyer')
    await press(button('Page 2'))
    expect(guests()).toHaveLength(1)
    await press(screen.getByRole('link', { name: 'All learners' }))
    expect(names()).toEqual(['Asha Rao'])
  })

  it('[P-107] are sent their invitation again by “Resend”', async () => {
    serveInvited(1)
    await open('?invited=1')
    await press(button('Resend the invitation of guest0@example.com'))
    expect(screen.getByText('Invitation of guest0@example.com sent again')).toBeDefined()
    server.on(called('invitations/resend'), () => problem(404, 'not-found', 'This is no longer open'))
    await press(button('Resend the invitation of guest0@example.com'))
    expect(screen.getByText('This is no longer open')).toBeDefined()
    const [first, second] = keys(called('invitations/resend'))
    expect(first).not.toBe(second)
  })

  it('[P-107] lose it by “Withdraw”, after a question', async () => {
    serveInvited(1)
    await open('?invited=1')
    await press(button('Withdraw the invitation of guest0@example.com'))
    expect(dialog().getByText('Withdraw the invitation of guest0@example.com?')).toBeDefined()
    await inDialog('Cancel')
    expect(guests()).toHaveLength(1)
    await press(button('Withdraw the invitation of guest0@example.com'))
    await inDialog('Withdraw')
    expect(screen.getByText('Invitation of guest0@example.com withdrawn')).toBeDefined()
    expect(screen.getByText('No one is invited')).toBeDefined()
  })

  it('are told by the admin alone if the portal has no mail server', async () => {
    serveInvited(1)
    server.on('GET /user/preferences', () => ok({ preferences: defaultPreferences, emailAvailable: false }))
    await open('?invited=1')
    expect(screen.getByText(/No email goes out, because the portal has no mail server/)).toBeDefined()
  })

  it('are loaded again after a failure, and when others change them', async () => {
    serveInvited(1)
    const answered = server.handlerOf(`GET /admin/programs/${program._id}/invitations`)
    server.on(`GET /admin/programs/${program._id}/invitations`, () => problem(503, 'unavailable', 'Busy'))
    await open('?invited=1')
    expect(screen.getByText('Failed to load invitations')).toBeDefined()
    if (answered) server.on(`GET /admin/programs/${program._id}/invitations`, answered)
    await press(button('Try again'))
    expect(guests()).toHaveLength(1)
    serveInvited(2)
    await act(async () => live.emit('learners:changed', { programId: program._id }))
    await clock.advance(1_500)
    expect(guests()).toHaveLength(2)
  })
})
