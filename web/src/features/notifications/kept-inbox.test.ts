import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { endSession, startSession, type Session } from '../../lib/session.ts'
import { fakeInbox } from '../../testing/fake-inbox.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { keepInbox, maxKeptAgeMs, readKeptInbox } from './kept-inbox.ts'

const key = 'kept_inbox'
const stored = () => localStorage.getItem(key)

const ananya: Session = { user: aUser(), token: 'the token of Ananya' }
const ravi: Session = {
  user: aUser({ _id: userIdSchema.parse('01930000-0000-7000-8000-00000000bbbb'), fullName: 'Ravi Rao' }),
  token: 'the token of Ravi',
}

const pageOf = (messages: readonly string[]) => {
  const inbox = fakeInbox()
  for (const message of messages) inbox.arrive({ title: 'Room change', message })
  return inbox.page(1)
}
const page = pageOf(['Come to room 4.', 'Come to room 5.'])

/** Changes local storage as another tab does, with the event that this tab receives. */
const otherTab = (change: () => void, changed: string) => {
  change()
  window.dispatchEvent(new StorageEvent('storage', { key: changed }))
}

/** As in a private window or at the quota. */
const breakStorage = (method: 'getItem' | 'setItem') => {
  const { localStorage: storage } = window
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => storage.getItem(name),
    setItem: (name: string, value: string) => storage.setItem(name, value),
    removeItem: (name: string) => storage.removeItem(name),
    [method]: () => {
      throw new DOMException('denied', 'QuotaExceededError')
    },
  })
}

beforeEach(() => startSession(ananya))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the kept inbox', () => {
  it('is what the server sent, with its time and the buttons of its notifications', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00.000Z'), toFake: ['Date'] })
    const inbox = fakeInbox()
    const button = { label: 'Choose your center', url: 'https://exam.example' }
    inbox.arrive({ button })
    await keepInbox(ananya, inbox.page(1))
    expect(await readKeptInbox()).toEqual({ at: Date.parse('2026-11-21T10:00:00.000Z'), page: inbox.page(1) })
    expect((await readKeptInbox())?.page.items[0]?.button).toEqual(button)
  })

  it('is not readable in storage, and differs each time, also for the same page', async () => {
    await keepInbox(ananya, page)
    const text = atob(stored() ?? '')
    expect(text).not.toBe('')
    expect(text).not.toContain('room')
    expect(text).not.toContain(page.items[0]?._id)
    const before = stored()
    await keepInbox(ananya, page)
    expect(stored()).not.toBe(before)
  })

  it('keeps a page with the longest texts in any script', async () => {
    const longest = pageOf(Array.from({ length: 10 }, () => 'न'.repeat(5_000)))
    await keepInbox(ananya, longest)
    expect((await readKeptInbox())?.page).toEqual(longest)
  })
})

describe('the end of the session', () => {
  it('[N-33] removes it, whether the session logged out or ended, or another user logs in', async () => {
    for (const end of [() => endSession('logged-out'), () => endSession('ended'), () => startSession(ravi)]) {
      startSession(ananya)
      await keepInbox(ananya, page)
      expect(stored()).not.toBeNull()
      end()
      expect([String(end), stored()]).toEqual([String(end), null])
    }
  })

  it('removes it if another tab logs out, also what this tab has kept since', async () => {
    await keepInbox(ananya, page)
    otherTab(() => localStorage.removeItem('token'), 'token')
    expect(stored()).toBeNull()
    localStorage.setItem(key, 'kept too late')
    otherTab(() => localStorage.removeItem('isLoggedIn'), 'isLoggedIn')
    expect(stored()).toBeNull()
  })

  it.each<[string, Session]>([
    ['another user', ravi],
    ['the next session of the same user', { ...ananya, token: 'the next token of Ananya' }],
    ['another user with the same token', { ...ravi, token: ananya.token }],
  ])('[N-33] leaves nothing for %s, even if its removal failed', async (_whom, next) => {
    await keepInbox(ananya, page)
    const left = stored() ?? ''
    startSession(next)
    localStorage.setItem(key, left)
    expect(await readKeptInbox()).toBeNull()
    expect(stored()).toBeNull()
  })

  it.each([
    ['this tab', () => endSession('logged-out')],
    ['another tab, of which this one does not know yet', () => localStorage.removeItem('token')],
    ['a login of another user', () => startSession(ravi)],
  ])('prevents that a page is kept that was being encrypted: by %s', async (_how, end) => {
    const keeping = keepInbox(ananya, page)
    end()
    await keeping
    expect(stored()).toBeNull()
  })

  it('prevents that a page is shown that was being decrypted', async () => {
    await keepInbox(ananya, page)
    const reading = readKeptInbox()
    startSession(ravi)
    expect(await reading).toBeNull()
  })
})

describe('nothing is kept', () => {
  it('for admins', async () => {
    const admin = { ...ananya, user: aUser({ role: 'admin' }) }
    startSession(admin)
    await keepInbox(admin, page)
    expect(stored()).toBeNull()
  })

  it('after seven days, or before the clock was set back', async () => {
    const now = Date.parse('2026-11-21T10:00:00.000Z')
    vi.useFakeTimers({ now, toFake: ['Date'] })
    await keepInbox(ananya, page)
    vi.setSystemTime(now + maxKeptAgeMs)
    expect(await readKeptInbox()).not.toBeNull()
    vi.setSystemTime(now + maxKeptAgeMs + 1)
    expect(await readKeptInbox()).toBeNull()
    expect(stored()).toBeNull()

    await keepInbox(ananya, page)
    vi.setSystemTime(now)
    expect(await readKeptInbox()).toBeNull()
  })

  it('of a page that is too large or does not fit, nor of the one before it', async () => {
    await keepInbox(ananya, page)
    await keepInbox(ananya, pageOf(['x'.repeat(400_000)]))
    expect(stored()).toBeNull()
    await keepInbox(ananya, page)
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    breakStorage('setItem')
    await keepInbox(ananya, pageOf(['Come to room 6.']))
    expect(stored()).toBeNull()
  })

  it('without storage', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    breakStorage('getItem')
    await keepInbox(ananya, page)
    expect(await readKeptInbox()).toBeNull()
  })

  it('without encryption, as on an address without https', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    await keepInbox(ananya, page)
    expect(stored()).toBeNull()
    localStorage.setItem(key, 'AAAA')
    expect(await readKeptInbox()).toBeNull()
  })

  it.each(['', 'not base64!', 'AAAA', btoa('x'.repeat(200))])('of what is not readable: %j', async (text) => {
    localStorage.setItem(key, text)
    expect(await readKeptInbox()).toBeNull()
    expect(stored()).toBeNull()
  })

  it('of what has another shape, as of another release', async () => {
    const other: object = { ...page, items: [{ title: 'without an id' }] }
    // @ts-expect-error -- the shape of another release
    await keepInbox(ananya, other)
    expect(await readKeptInbox()).toBeNull()
  })
})
