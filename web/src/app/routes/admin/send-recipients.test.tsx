import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { paginationOf } from '@portal/contracts/shared/page'
import { limits } from '@portal/contracts/shared/rules'
import { Link } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { serveHeldSends } from '../../../features/campaigns/testing/fake-held-sends.ts'
import { aPerson, programId, serveAudience, userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { endSession, startSession } from '../../../lib/session.ts'
import { SocketContext } from '../../../lib/socket.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { aUser, ok, problem } from '../../../testing/fake-portal.ts'
import { deferredAnswer, fakeServer, type FakeServer } from '../../../testing/fake-server.ts'
import { fakeSocket } from '../../../testing/fake-socket.ts'
import { aProgram } from '../../../testing/fake-catalog.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { insertAllStyles } from '../../../testing/styles.tsx'
import { SendPage } from './send-page.tsx'

const longName = `University ${'of Applied Sciences and Arts '.repeat(4)}`.trim().slice(0, limits.nameChars)
const asha = aPerson(1, 'Asha Rao')
const kiran = aPerson(2, 'Kiran Das', { universityName: longName })
const ravi = aPerson(3, 'Ravi Rao', { emailVerified: false })
const zoya = aPerson(4, 'Zoya Ali', { role: 'faculty' })
const people = [asha, kiran, ravi, zoya]
const programs = [
  { name: 'AI', members: [asha, kiran] },
  { name: 'Data Science', members: [ravi] },
]

let server: FakeServer
let heldSends: ReturnType<typeof serveHeldSends>
let clock: ReturnType<typeof fakeClock>

beforeEach(() => {
  localStorage.clear()
  startSession({ user: aUser({ _id: userId(900), role: 'admin' }), token: 'token-1' })
  server = fakeServer()
  serveAudience(server, { people, programs })
  server.on('GET /notifications/recent', () =>
    ok({ notifications: [], pagination: paginationOf({ page: 1, limit: 10 }, 0) }),
  )
  heldSends = serveHeldSends(server)
  clock = fakeClock()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  endSession('logged-out')
})

const open = async (search = '') => {
  const page = (
    <SocketContext value={fakeSocket().socket}>
      <SendPage />
      <Link to="/elsewhere">Leave</Link>
    </SocketContext>
  )
  const elsewhere = (
    <>
      <Link to="/admin/notifications">Return</Link>
      <Link to={`/admin/notifications?to=${zoya.userId}`}>Write to Zoya</Link>
    </>
  )
  renderPages({ '/admin/notifications': page, '/elsewhere': elsewhere }, `/admin/notifications${search}`)
  await clock.flush()
  await clock.flush()
}

/** Long enough for a debounced request, a paste and a closing panel. */
const settle = () => clock.advance(500)
const press = async (name: string | RegExp, role = 'button') => {
  await clock.user.click(screen.getByRole(role, { name }))
  await settle()
}
const choose = async (kind: string, entry: RegExp) => {
  await press(kind)
  await clock.user.click(within(screen.getByRole('dialog')).getByRole('checkbox', { name: entry }))
  await clock.user.keyboard('{Escape}')
  await settle()
}
const row = (name: RegExp) => screen.getByRole('checkbox', { name })
const tick = async (name: RegExp) => {
  await clock.user.click(row(name))
  await settle()
}
const search = () => screen.getByRole('searchbox', { name: 'Search users' })
const names = () =>
  screen
    .getAllByRole('checkbox', { name: /@example\.com/ })
    .map((box) => box.closest('label')?.querySelector('.name')?.textContent)
/** Waits for a list to be read and counted. The parser is a module that loads on first use. */
const readList = async () => {
  await settle()
  await vi.dynamicImportSettled()
  await settle()
  await settle()
}
const field = (label: string) => screen.getByLabelText(label)
const send = async () => {
  await clock.fill(field('Title'), 'The hall is closed')
  await clock.fill(field('Message'), 'Please come to room 12.')
  await press(/^Send (to|notification)/)
  await clock.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' }))
  await settle()
  await press('Send now')
}
const sentBody = () => server.requestsTo('POST /notifications/held')[0]?.body

describe('choosing groups', () => {
  it('sends to everyone with one click, tells the server the count that was shown, and says that a large send is being distributed', async () => {
    await open()
    await press('Everyone')
    expect(screen.getByText('Selected: 4 people')).toBeDefined()
    await send()
    expect(sentBody()).toMatchObject({ audience: { everyone: true }, expectedCount: 4 })
    expect(sentBody()).not.toHaveProperty('userIds')

    heldSends.answerWith((id) => ok({ notificationId: id, successCount: 2, targeted: 120_000, message: 'Sent' }))
    await press('Everyone')
    await send()
    expect(screen.getByText('It is being delivered to 120,000 inboxes.')).toBeDefined()
  })

  it('combines entries of several kinds, and removes them one by one without losing the focus', async () => {
    await open()
    await choose('Program', /^AI 2/)
    await choose('Program: 1', /^Data Science 1/)
    await choose('Role', /^Student 3/)
    expect(screen.getByText('Selected: 3 people')).toBeDefined()
    const conditions = within(screen.getByRole('list', { name: 'Conditions' })).getAllByRole('listitem')
    expect(conditions.map(({ textContent }) => textContent)).toEqual(['AIorData Science', 'andStudent'])
    await press('Remove Data Science')
    expect(document.activeElement?.textContent).toBe('Program: 1')
    await send()
    expect(sentBody()).toMatchObject({ audience: { programIds: [programId(1)], roles: ['student'] }, expectedCount: 2 })
  })

  it('selects learners by semester and by the installment that is due', async () => {
    await open()
    await choose('Semester', /^Semester 2 1/)
    await choose('Installment due', /^Installment 2 1/)
    const conditions = within(screen.getByRole('list', { name: 'Conditions' })).getAllByRole('listitem')
    expect(conditions.map(({ textContent }) => textContent)).toEqual(['Semester 2', 'andInstallment 2 due'])
    await press('Leave', 'link')
    await press('Return', 'link')
    await send()
    expect(sentBody()).toMatchObject({ audience: { semesters: [2], installmentsDue: [2] } })
  })

  it('replaces everyone by a group, and closes a list by a press on the page behind it, which takes effect, or by the wheel', async () => {
    await open()
    await press('Everyone')
    await choose('Payment', /^Pending/)
    expect(screen.getByRole('button', { name: 'Everyone', pressed: false })).toBeDefined()
    await press('Everyone')
    expect(screen.queryByRole('button', { name: 'Remove Payment pending' })).toBeNull()
    await press('Clear')
    expect(screen.getByText(/^No one is selected yet/)).toBeDefined()
    expect(document.activeElement?.textContent).toBe('Everyone')

    const list = (name: string) => screen.queryByRole('dialog', { name })
    await press('Program')
    await clock.user.click(screen.getByRole('button', { name: 'Everyone', hidden: true }))
    await settle()
    expect(list('Program')).toBeNull()
    expect(screen.getByRole('button', { name: 'Everyone', pressed: true })).toBeDefined()
    await press('Role')
    await clock.user.click(screen.getByRole('checkbox', { name: /^Student/ }))
    screen.getByRole('dialog', { name: 'Role' }).dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await settle()
    expect(list('Role')).not.toBeNull()
    await act(async () => void document.body.dispatchEvent(new WheelEvent('wheel', { bubbles: true })))
    await settle()
    expect(list('Role')).toBeNull()
    await press('Program')
    await clock.user.click(screen.getByRole('button', { name: 'Program', hidden: true }))
    await settle()
    expect(list('Program')).toBeNull()
  })

  it('searches long lists, and the keyboard moves from the search into them', async () => {
    const crowd = Array.from({ length: 1000 }, (_, n) =>
      aPerson(n + 1, `Learner ${n}`, { universityName: `College ${n}` }),
    )
    serveAudience(server, { people: [...crowd, kiran] })
    await open()
    await press('University')
    const panel = within(screen.getByRole('dialog', { name: 'University' }))
    expect(panel.getAllByRole('checkbox')).toHaveLength(100)
    expect(panel.getByText('100 of 1,001 shown. Search to find more.')).toBeDefined()
    await clock.user.keyboard('applied sciences{ArrowDown} ')
    await clock.user.keyboard('{Escape}')
    await settle()
    expect(screen.getByRole('button', { name: `Remove ${longName}` })).toBeDefined()
    expect(document.activeElement?.textContent).toBe('University: 1')
  })

  it('shows the last count only, dimmed until it is current', async () => {
    insertAllStyles()
    await open()
    await press('Everyone')
    const held = deferredAnswer()
    server.on('POST /notifications/audience', held.handler)
    await choose('Role', /^Faculty/)
    const sentence = screen.getByText('Selected: 4 people')
    expect(getComputedStyle(sentence).opacity).toBe('0.5')
    expect(screen.getByRole('button', { name: 'Send notification' })).toBeDefined()
    serveAudience(server, { people })
    await choose('Role: 1', /^Student/)
    expect(screen.getByText('Selected: 4 people')).toBeDefined()
    held.release(ok({ count: 1, unknown: [], duplicates: 0, sentence: 'An older rule' }))
    await settle()
    expect(screen.queryByText('An older rule')).toBeNull()
    expect(screen.getByRole('button', { name: 'Send to 4 users' })).toBeDefined()
  })

  it('reloads groups that could not be loaded, shows why a rule cannot be counted, and counts again', async () => {
    server.on('GET /notifications/audience/choices', () => problem(503, 'unavailable', 'Not available'))
    await open()
    expect(screen.getByText('The groups could not be loaded.')).toBeDefined()
    serveAudience(server, { people, programs })
    await press('Load groups again')
    server.on('POST /notifications/audience', () => problem(400, 'invalid', 'Program not found'))
    await choose('Program', /^AI/)
    expect(screen.getByText('Program not found')).toBeDefined()
    serveAudience(server, { people, programs })
    await press('Count again')
    expect(screen.getByText('Selected: 2 people')).toBeDefined()
  })

  it('states the limits before sending, and does not send to more', async () => {
    const count = limits.recipientsPerAudience + 1
    await open()
    expect(screen.getByText('Groups reach up to 200,000 people. By hand you can tick up to 10,000.')).toBeDefined()
    server.on('POST /notifications/audience', () => ok({ count, unknown: [], duplicates: 0, sentence: 'Everyone' }))
    await press('Everyone')
    await clock.fill(field('Title'), 'The hall is closed')
    await clock.fill(field('Message'), 'Please come to room 12.')
    await press(/^Send (to|notification)/)
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
    expect(dialog.getByText(/^200,001 people are too many/)).toBeDefined()
  })
})

describe('choosing people by hand', () => {
  it('adds to the rule those whom it does not select, and removes those whom it selects', async () => {
    await open()
    await choose('Role', /^Student/)
    expect(row(/Asha Rao/)).toHaveProperty('checked', true)
    await tick(/Asha Rao/)
    await tick(/Zoya Ali/)
    expect(screen.getByText('Selected: 3 people')).toBeDefined()
    await send()
    expect(sentBody()).toMatchObject({
      audience: { roles: ['student'], include: [zoya.userId], exclude: [asha.userId] },
    })
  })

  it('marks addresses that are not verified, searches on the server, and selects only the users shown', async () => {
    await open()
    const marked = screen.getAllByText('Email not verified').map((mark) => mark.closest('label')?.textContent)
    expect(marked).toEqual([expect.stringContaining('Ravi Rao')])
    await clock.fill(search(), 'rao')
    await settle()
    expect(names()).toEqual(['Asha Rao', 'Ravi Rao'])
    await tick(/^Select all 2 shown/)
    expect(screen.getByRole('button', { name: 'Send to 2 users' })).toBeDefined()
    await clock.user.clear(search())
    await settle()
    expect(row(/^Select all 4 shown/)).toHaveProperty('indeterminate', true)
    await clock.fill(search(), 'nobody')
    await settle()
    expect(screen.getByText('No user matches “nobody”.')).toBeDefined()
    await clock.user.keyboard('{Enter}')
    expect(sentBody()).toBeUndefined()
  })

  it('shows only the selected people, and keeps a row that is unticked', async () => {
    await open()
    await choose('Program', /^AI/)
    await tick(/Zoya Ali/)
    await clock.user.click(screen.getByRole('switch', { name: 'Only selected' }))
    await settle()
    expect(names()).toEqual(['Asha Rao', 'Kiran Das', 'Zoya Ali'])
    await tick(/Zoya Ali/)
    await tick(/Kiran Das/)
    expect(names()).toEqual(['Asha Rao', 'Kiran Das', 'Zoya Ali'])
    expect(screen.getByText('Selected: 1 person')).toBeDefined()
    await tick(/Kiran Das/)
    expect(screen.getByText('Selected: 2 people')).toBeDefined()
  })

  it('loads 50 people a page, and supports the keyboard', async () => {
    const crowd = Array.from({ length: 120 }, (_, n) => aPerson(n + 1, `Learner ${String(n).padStart(3, '0')}`))
    serveAudience(server, { people: crowd })
    await open()
    expect(screen.getByText('1 to 50 of 120')).toBeDefined()
    row(/Learner 000/).focus()
    await clock.user.keyboard('{ArrowDown}{ArrowDown} ')
    expect(row(/Learner 002/)).toHaveProperty('checked', true)
    await clock.user.keyboard('{End}{PageUp} {Home}')
    expect(row(/Learner 044/)).toHaveProperty('checked', true)
    expect(document.activeElement).toBe(row(/Learner 000/))
    await clock.user.click(row(/Learner 005/))
    await clock.user.keyboard('{Shift>}')
    await clock.user.click(row(/Learner 008/))
    await clock.user.keyboard('{/Shift}')
    expect(screen.getByRole('button', { name: 'Send to 6 users' })).toBeDefined()
    row(/Learner 008/).focus()
    await clock.user.keyboard('{Control>}a{/Control}')
    expect(screen.getByRole('button', { name: 'Send to 50 users' })).toBeDefined()
    await press('Next users')
    await press('Next users')
    expect(screen.getByText('101 to 120 of 120')).toBeDefined()
    await press('Next users')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next users' }))
  })

  it('[C-11] shows an error with a retry if the users cannot be loaded, and reloads when the network is back', async () => {
    server.on('POST /notifications/audience/people', () => problem(503, 'unavailable', 'The list is not available'))
    await open()
    expect(screen.getAllByText('Failed to load data')).toHaveLength(1)
    expect(screen.getByText('The list is not available')).toBeDefined()
    server.on('POST /notifications/audience/people', () => 'unreachable')
    await press('Try again')
    expect(screen.queryByText('The list is not available')).toBeNull()
    serveAudience(server, { people })
    act(() => void window.dispatchEvent(new Event('online')))
    await settle()
    expect(row(/Asha Rao/)).toBeDefined()
  })
})

describe('a pasted list', () => {
  const paste = async (text: string) => {
    await press('Paste or CSV')
    await clock.user.click(field('Email addresses or student codes'))
    await clock.user.paste(text)
    await readList()
  }

  it('reports what it found, and lists the unknown entries with a button to copy them', async () => {
    await open()
    await paste(`Name;Email\nAsha;${asha.personalEmail}\nAgain;${asha.personalEmail}\nNone;nobody@example.com`)
    expect(screen.getByText(/^1 found, 1 unknown/).parentElement?.textContent).toMatch(/, 1 duplicate$/)
    await press('Show the unknown entries')
    expect(screen.getByRole('list', { name: 'Unknown entries' }).textContent).toBe('nobody@example.com')
    await press('Copy all')
    expect(await navigator.clipboard.readText()).toBe('nobody@example.com')
    await send()
    expect(sentBody()).toMatchObject({
      audience: { contacts: [asha.personalEmail, asha.personalEmail, 'nobody@example.com'] },
    })
  })

  it('can be a file that is dropped, unless it is too large, and can be removed', async () => {
    await open()
    await press('Paste or CSV')
    const file = new File([`Code\n${kiran.studentCode}\n`], 'learners.csv', { type: 'text/csv' })
    fireEvent.drop(field('Email addresses or student codes'), { dataTransfer: { files: [file] } })
    await readList()
    expect(screen.getByText('Selected: 1 person')).toBeDefined()
    await press('Remove 1 from learners.csv')
    expect(screen.getByText(/^No one is selected yet/)).toBeDefined()

    const large = new File([new Uint8Array(6 * 1024 * 1024)], 'large.csv')
    fireEvent.drop(field('Email addresses or student codes'), { dataTransfer: { files: [large] } })
    await settle()
    expect(screen.getByRole('alert').textContent).toMatch(/^This is larger than 5 MB/)
  })
})

describe('a link to the form', () => {
  const button = { label: 'Choose your center', url: 'https://exam.example/centers' }
  const campaign = (title: string, withButton?: SentItem['button'], isUrgent = false, more: Partial<SentItem> = {}) => {
    const sent = aCampaign(
      7,
      { live: 2, read: 1 },
      {
        title,
        type: 'Exam',
        message: 'Room 12.',
        ...(withButton && { button: withButton }),
        ...(isUrgent && { isUrgent }),
        ...more,
      },
    )
    server.on(`GET /notifications/${sent.id}/campaign`, () =>
      ok({ campaign: sent, actions: [], remindedBy: [], resendable: 0, resendsLeft: 4, firstHour: [], byDay: [] }),
    )
    return sent
  }

  it('[C-18] fills in a reminder to those who have not read a notification, with its button', async () => {
    const sent = campaign('Exam moved', button)
    await open(`?remind=${sent.id}`)
    await settle()
    expect(field('Button label')).toHaveProperty('value', button.label)
    expect(field('Address')).toHaveProperty('value', button.url)
    expect(field('Title')).toHaveProperty('value', 'Reminder: Exam moved')
    expect(field('Message')).toHaveProperty('value', 'Room 12.')
    expect(screen.getByRole('combobox', { name: /^Type/ }).textContent).toBe('Exam')
    expect(screen.getByRole('button', { name: 'Remove who have not read “Exam moved”' })).toBeDefined()
    server.on('POST /notifications/held', (request) => {
      const answer = heldSends.onHold(request)
      return ok({ ...Object(answer === 'unreachable' ? {} : answer.body), targeted: 1, leftOut: 3 })
    })
    heldSends.answerWith((id) => ok({ notificationId: id, successCount: 1, targeted: 1, message: 'Sent' }))
    await press(/^Send to 4 users/)
    await clock.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' }))
    await settle()
    await press('Send now')
    expect(sentBody()).toMatchObject({ audience: { unreadOf: sent.id }, title: 'Reminder: Exam moved', type: 'Exam' })
    expect(
      screen.getByText(
        '1 person has it in their inbox; 1 saw it on screen. 3 people have read it meanwhile and were left out.',
      ),
    ).toBeDefined()
  })

  it('[P-105] fills in a fee reminder to the learners of a program who have not paid', async () => {
    const program = aProgram(1, { _id: programId(1), programName: 'Data Science' })
    server.on(`GET /programs/${program._id}`, () => ok({ data: program }))
    await open(`?unpaid=${program._id}`)
    await settle()
    expect(field('Title')).toHaveProperty('value', 'Fee payment reminder')
    expect(field('Message')).toHaveProperty(
      'value',
      'Your fee for Data Science is due. Please pay it, or contact the center if you have paid already.',
    )
    expect(screen.getByRole('combobox', { name: /^Type/ }).textContent).toBe('Fee Payment Reminder')
    expect(screen.getByRole('button', { name: /^Remove Payment pending/i })).toBeDefined()
    cleanup()
    server.on(`GET /programs/${program._id}`, () => problem(404, 'not-found', 'Program not found'))
    await open(`?unpaid=${program._id}`)
    await settle()
    expect(screen.getByText('Program not found')).toBeDefined()
  })

  it('keeps the title of a reminder within its limit', async () => {
    const sent = campaign('x'.repeat(limits.titleChars))
    await open(`?remind=${sent.id}`)
    await settle()
    expect(field('Title')).toHaveProperty('value', `Reminder: ${'x'.repeat(limits.titleChars - 10)}`)
  })

  it('[C-18] copies the text of a notification, and its button', async () => {
    await open(`?copy=${campaign('Exam moved').id}`)
    await settle()
    expect(field('Title')).toHaveProperty('value', 'Exam moved')
    expect(screen.getByRole('button', { name: 'Add a button' })).toBeDefined()
    expect(screen.getByText(/^No one is selected yet/)).toBeDefined()
    cleanup()
    await open(`?copy=${campaign('Exam moved', button).id}`)
    await settle()
    expect(field('Button label')).toHaveProperty('value', button.label)
    expect(field('Address')).toHaveProperty('value', button.url)
  })

  it('[C-24] copies the second language of a notification', async () => {
    const translation = { lang: 'hi', title: 'परीक्षा', message: 'कमरा 12' }
    await open(`?copy=${campaign('Exam moved', undefined, false, { translation }).id}`)
    await settle()
    expect(field('Title in this language')).toHaveProperty('value', 'परीक्षा')
    expect(field('Message in this language')).toHaveProperty('value', 'कमरा 12')
    expect(screen.getByRole('combobox', { name: 'Language' }).textContent).toBe('हिन्दी')
  })

  it('[C-19] copies an urgent notification as one that is not', async () => {
    await open(`?copy=${campaign('Exam moved', undefined, true).id}`)
    await settle()
    expect(screen.getByRole('checkbox', { name: 'Urgent' })).toHaveProperty('checked', false)
  })

  it('ticks a person, and shows them; puts an unsent notification aside, and restores it', async () => {
    campaign('Exam moved')
    await open()
    await clock.fill(field('Title'), 'Unsent')
    await tick(/Asha Rao/)
    await press('Leave', 'link')
    await press('Write to Zoya', 'link')
    expect(field('Title')).toHaveProperty('value', '')
    expect(names()).toEqual(['Zoya Ali'])
    expect(row(/Zoya Ali/)).toHaveProperty('checked', true)
    expect(screen.getByRole('button', { name: 'Send to 1 user' })).toBeDefined()
    await press('Restore it')
    expect(field('Title')).toHaveProperty('value', 'Unsent')
    expect(screen.getByRole('button', { name: 'Send to 1 user' })).toBeDefined()
  })

  it('says that the notification of a link does not exist', async () => {
    await open('?remind=nothing')
    await settle()
    expect(screen.getByText('Notification not found')).toBeDefined()
    expect(field('Title')).toHaveProperty('value', '')
  })
})

describe('the draft', () => {
  const contacts = (count: number) => Array.from({ length: count }, (_, n) => `l${n}@example.com`).join('\n')
  const lists = () => screen.queryAllByRole('button', { name: /from the pasted list$/ })

  it.each([
    [10_000, true],
    // Longer than what is kept on the device. The rest of the rule would select other people.
    [60_000, false],
  ])('keeps its rule while the admin is away, or nothing of it; with a list of %i: %s', async (count, isKept) => {
    await open()
    await choose('Role', /^Student/)
    await press('Paste or CSV')
    await clock.user.click(field('Email addresses or student codes'))
    await clock.user.paste(contacts(count))
    // A long list is read in many tasks.
    for (let task = 0; task < 100 && lists().length === 0; task++) await readList()
    expect(lists()).toHaveLength(1)
    await press('Leave', 'link')
    await press('Return', 'link')
    expect(screen.queryAllByRole('button', { name: 'Remove Student' })).toHaveLength(isKept ? 1 : 0)
    expect(lists()).toHaveLength(isKept ? 1 : 0)
  })
})
