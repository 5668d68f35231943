import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog } from '../../testing/fake-catalog.ts'
import { aUser, ok } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp

const agents = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  chromeOnIPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0.6723.90 Mobile/15E148 Safari/604.1',
}

const browse = ({ userAgent, touchPoints = 0 }: { userAgent: string; touchPoints?: number }) => {
  vi.spyOn(window.navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  vi.spyOn(window.navigator, 'maxTouchPoints', 'get').mockReturnValue(touchPoints)
}

/** As in the installed app: only this media query matches. */
const runInstalled = () => {
  const { matchMedia } = window
  vi.stubGlobal('matchMedia', (query: string) =>
    query.includes('display-mode')
      ? { ...matchMedia('all'), matches: true, addEventListener: () => {}, removeEventListener: () => {} }
      : matchMedia(query),
  )
}

/** What Chromium does where it offers to install the page. */
const offerInstallation = () => {
  const prompt = vi.fn<() => Promise<object>>(async () => ({ outcome: 'accepted' }))
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(event))
  return { prompt, event }
}

const open = async (user = aUser(), path = '/profile') => {
  app = await openApp({
    path,
    user,
    answers: { ...catalogAnswers(fakeCatalog([aProgram(1)])), 'GET /user/profile': () => ok({ user }) },
  })
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
}
const enrollmentsLoaded = () => screen.findByRole('link', { name: 'Enroll Now' })
const row = () => screen.queryByRole('button', { name: 'Install the app' })
const hint = 'Tap Share, then Add to Home Screen'

describe('the row that installs the app', () => {
  beforeEach(() => void window.dispatchEvent(new Event('appinstalled')))
  afterEach(async () => {
    await app.close()
    vi.restoreAllMocks()
  })

  it('asks the browser, once for each offer, in place of its message, and is hidden without one and once installed', async () => {
    await open()
    await enrollmentsLoaded()
    expect(screen.queryByText('Install the app')).toBeNull()
    const { prompt, event } = offerInstallation()
    await app.user.click(await screen.findByRole('button', { name: 'Install the app' }))
    expect(event.defaultPrevented).toBe(true)
    expect(prompt).toHaveBeenCalledOnce()
    await waitFor(() => expect(row()).toBeNull())
    const later = offerInstallation()
    await app.user.click(await screen.findByRole('button', { name: 'Install the app' }))
    expect([prompt, later.prompt].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    offerInstallation()
    await waitFor(() => expect(row()).not.toBeNull())
    act(() => void window.dispatchEvent(new Event('appinstalled')))
    expect(row()).toBeNull()
  })

  it('keeps an offer that comes before the page is opened', async () => {
    app = await openApp({ path: '/home' })
    offerInstallation()
    await app.close()
    await open()
    expect(await screen.findByRole('button', { name: 'Install the app' })).toBeDefined()
  })

  it('stays hidden in the installed app', async () => {
    runInstalled()
    browse({ userAgent: agents.iPhone })
    await open()
    offerInstallation()
    await enrollmentsLoaded()
    expect(screen.queryByText('Install the app')).toBeNull()
  })

  it.each([
    ['Safari on an iPhone', true, { userAgent: agents.iPhone, touchPoints: 5 }],
    ['Safari on an iPad', true, { userAgent: agents.iPad, touchPoints: 5 }],
    ['Safari on a Mac', false, { userAgent: agents.iPad }],
    ['Chrome on an iPhone', false, { userAgent: agents.chromeOnIPhone, touchPoints: 5 }],
  ])('says how where there is no offer, but only where it is right: in %s %s', async (_browser, isRight, device) => {
    browse(device)
    await open()
    await enrollmentsLoaded()
    expect(screen.queryByText(hint) !== null).toBe(isRight)
    expect(row()).toBeNull()
  })

  it.each([
    ['faculty members', aUser({ role: 'faculty' }), '/profile'],
    ['admins', aUser({ role: 'admin' }), '/admin/profile'],
  ])('is there for %s', async (_readers, user, path) => {
    await open(user, path)
    offerInstallation()
    expect(await screen.findByRole('button', { name: 'Install the app' })).toBeDefined()
  })
})
