import { screen, within } from '@testing-library/react'
import type { Device } from '@portal/contracts/notifications/devices'
import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeBrowser, fakeBrowser } from '../../features/push/testing/fake-browser.ts'
import { aUser, ok, problem, type FakeAnswer, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

const here: Device = { id: 'here', name: 'Firefox on Linux', addedAt: '2026-11-21T03:35:00.000Z', isThis: true }
const phone: Device = { id: 'phone', name: 'Chrome on Android', addedAt: '2026-11-20T03:35:00.000Z', isThis: false }
const old: Device = { id: 'old', name: 'A device', isThis: false }

let app: OpenApp
let browser: FakeBrowser | undefined
let devices: Device[]
let keyRequests: number

const open = async (answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path: '/profile/notifications',
    user: aUser(),
    answers: {
      'GET /user/devices': () => ok({ devices }),
      'GET /user/preferences': () => ok({ preferences: defaultPreferences, emailAvailable: true }),
      'DELETE /user/devices/:id': ({ path }) => {
        devices = devices.filter(({ id }) => path !== `/user/devices/${id}`)
        return ok({ message: 'Device removed' })
      },
      // The request at the start gets no answer, so that only the page turns push on.
      'GET /notifications/push-key': () =>
        ++keyRequests === 1 ? new Promise<never>(() => undefined) : ok({ provider: 'web-push', key: 'AQID' }),
      'POST /notifications/token': () => {
        if (!devices.some(({ isThis }) => isThis)) devices = [here, ...devices]
        return ok({ message: 'Push token saved' })
      },
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Notification settings' })
  if (browser && Notification.permission !== 'denied') await until(() => expect(keyRequests).toBe(1))
}
/** With a browser that has the permission. */
const openWith = (permission: NotificationPermission, answers: Record<string, FakeHandler> = {}) => {
  browser = fakeBrowser()
  browser.hasPermission(permission)
  return open(answers)
}
const expectText = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeDefined()
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name, { selector: '.name' })).closest('li')
  if (!row) throw new Error(`${name} is in no row`)
  return within(row)
}

beforeEach(() => {
  devices = []
  keyRequests = 0
})
afterEach(async () => {
  await app.close()
  browser?.restore()
  browser = undefined
  vi.restoreAllMocks()
})

describe('this device', () => {
  it('[X-30] is on if the server pushes to it, and can be turned off', async () => {
    devices = [here]
    await openWith('granted')
    await expectText('Notifications are on')
    await app.user.click(await button('Turn off'))
    await expectText('Notifications are off')
    expect(devices).toEqual([])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Turn on' }))
  })

  it('[X-30] is on as soon as the start of the session has registered it', async () => {
    const key = Promise.withResolvers<FakeAnswer>()
    await openWith('granted', { 'GET /notifications/push-key': () => (++keyRequests, key.promise) })
    await expectText('Notifications are off')
    key.resolve(ok({ provider: 'web-push', key: 'AQID' }))
    await expectText('Notifications are on')
  })

  it('[X-30] stays on if the server cannot be reached', async () => {
    devices = [here]
    await openWith('granted', {
      'DELETE /user/devices/:id': () => problem(503, 'unavailable', 'Please try again later'),
    })
    await app.user.click(await button('Turn off'))
    await expectText('Please try again later')
    expect(screen.getByText('Notifications are on')).toBeDefined()
  })

  it('[X-30] is turned on, in a tap that asks for the permission', async () => {
    await openWith('default')
    browser?.willAnswer('granted')
    await app.user.click(await button('Turn on'))
    await expectText('Notifications are on')
    await rowOf('Firefox on Linux')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Turn off' }))
  })

  it('[X-30] is off without a registration, and says if it could not be turned on', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.spyOn(console, 'error').mockReturnValue()
    await openWith('granted', { 'POST /notifications/token': () => problem(503, 'unavailable', 'Try later') })
    await expectText('Notifications are off')
    await app.user.click(await button('Turn on'))
    await expectText('Notifications could not be turned on. Please try again.')
  })

  it('[X-31] asks for the permission in the tap, and says how to undo a block', async () => {
    await openWith('default')
    browser?.willAnswer('denied')
    await expectText('Your browser asks for your permission when you turn them on.')
    await app.user.click(await button('Turn on'))
    expect(browser?.calls).toContain('ask')
    await expectText('Your browser blocks notifications')
    expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })

  it('[X-31] notices that the permission has changed in the settings of the browser', async () => {
    await openWith('denied')
    await expectText('Your browser blocks notifications')
    browser?.hasPermission('granted')
    document.dispatchEvent(new Event('visibilitychange'))
    await expectText('Notifications are off')
  })

  it.each([
    ['Android 10; K) Chrome/140.0', /^Tap the icon left of the address/],
    ['X11; Linux) Gecko/20100101 Firefox/143.0', /^Click the crossed-out icon/],
    ['Macintosh) Version/18.6 Safari/605.1.15', /^Open Settings of Safari/],
    ['iPhone) Version/18.6 Mobile Safari/604.1', /^Open the settings of your device/],
    ['Windows NT 10.0) Chrome/140.0 Safari/537.36', /^Click the icon left of the address/],
  ])('[X-31] says how to undo a block in this browser: %s', async (userAgent, hint) => {
    vi.spyOn(window.navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${userAgent}`)
    await openWith('denied')
    await expectText(hint)
  })

  it('[X-32] must be on the Home Screen first if it is an iPhone', async () => {
    vi.spyOn(window.navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_6)')
    await open()
    await expectText('Add the portal to your Home Screen first')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toContain('Choose Add to Home Screen.')
  })

  it('[X-32] cannot get notifications without support of the browser', async () => {
    await open()
    await expectText('Notifications are not possible in this browser')
    expect(screen.queryByRole('button', { name: /Turn/ })).toBeNull()
  })
})

it('[X-30] is a page of admins, too, below their profile, also where a test opens it', async () => {
  app = await openApp({
    path: '/profile/notifications',
    user: aUser({ role: 'admin' }),
    answers: { 'GET /user/devices': () => ok({ devices: [phone] }) },
  })
  await screen.findByRole('heading', { level: 1, name: 'Notification settings' })
  expect(window.location.pathname).toBe('/admin/profile/notifications')
  expect((await rowOf('Chrome on Android')).getByRole('button', { name: /Send a test/ })).toBeDefined()
  await app.user.click(screen.getByRole('link', { name: 'Back to your profile' }))
  await app.user.click(await screen.findByRole('link', { name: 'Notification settings' }))
  expect(window.location.pathname).toBe('/admin/profile/notifications')
})

describe('the list of devices', () => {
  it('[X-33] has name and days of each, and marks this one', async () => {
    const usedAt = new Date().toISOString()
    const tablet: Device = { ...phone, id: 'tablet', name: 'Safari on iPad', usedAt: '2025-05-09T03:35:00.000Z' }
    devices = [{ ...here, usedAt }, { ...phone, usedAt }, tablet, old]
    await openWith('granted')
    const first = await rowOf('Firefox on Linux')
    expect(first.getByText('This device')).toBeDefined()
    expect(first.getByText('Added Nov 21, 2026')).toBeDefined()
    expect(first.queryByRole('button', { name: /Remove/ })).toBeNull()
    expect((await rowOf('Chrome on Android')).getByText('Added Nov 20, 2026 · Last used today')).toBeDefined()
    expect((await rowOf('Safari on iPad')).getByText('Added Nov 20, 2026 · Last used May 9, 2025')).toBeDefined()
    const last = await rowOf('A device')
    expect(last.queryByText(/Added/)).toBeNull()
    expect(last.queryByText('This device')).toBeNull()
  })

  it('[X-33] removes another device after a question, and can be canceled', async () => {
    devices = [here, phone]
    await openWith('granted')
    await app.user.click(await button('Remove Chrome on Android'))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    expect(devices).toEqual([here, phone])
    await app.user.click(await button('Remove Chrome on Android'))
    const dialog = await screen.findByRole('dialog', { name: 'Remove Chrome on Android?' })
    await app.user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await expectText('Chrome on Android removed')
    expect(devices).toEqual([here])
    await until(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
  })

  it('[X-33] is loaded again when the user returns, and on request after a failure', async () => {
    let answer: FakeAnswer = problem(503, 'unavailable', 'Please try again later')
    await openWith('granted', { 'GET /user/devices': () => answer })
    await expectText('Your devices could not be loaded.')
    answer = ok({ devices: [phone] })
    await app.user.click(await button('Try again'))
    await rowOf('Chrome on Android')
    answer = ok({ devices: [phone, old] })
    document.dispatchEvent(new Event('visibilitychange'))
    await rowOf('A device')
  })
})

describe('a test', () => {
  const accepted = { message: 'The push service has accepted the test', testId: 'test-1', outcome: 'accepted' }

  it('[X-34] says after how long this device has shown it', async () => {
    devices = [here]
    await openWith('granted', {
      'POST /user/devices/:id/test': async () => {
        const worker = await navigator.serviceWorker.getRegistration()
        await worker?.showNotification('Test notification', { tag: 'test-1' })
        return ok(accepted)
      },
    })
    await app.user.click(await button('Send a test to Firefox on Linux'))
    await expectText(/^Shown after \d\.\d s\./)
  })

  it('[X-34] of another device says to look there', async () => {
    devices = [phone]
    await openWith('granted', { 'POST /user/devices/:id/test': () => ok(accepted) })
    await app.user.click(await button('Send a test to Chrome on Android'))
    await expectText('Sent. Look at that device.')
  })

  const unavailable = 'The push service is not available. Please try again later'
  const tooMany = 'Too many tests. Please try again in 10 minutes.'
  it.each([
    [unavailable, ok({ message: unavailable, testId: 't', outcome: 'unavailable' })],
    [tooMany, problem(429, 'too-many-requests', tooMany)],
  ])('[X-34] says what is wrong beside the device: %s', async (message, answer) => {
    devices = [phone]
    await openWith('granted', { 'POST /user/devices/:id/test': () => answer })
    await app.user.click(await button('Send a test to Chrome on Android'))
    const row = await rowOf('Chrome on Android')
    expect(await row.findByText(message)).toBeDefined()
  })

  it('[X-34] of a device that is gone removes it from the list', async () => {
    devices = [phone]
    const message = 'This device no longer gets notifications. Turn them on again there'
    await openWith('granted', {
      'POST /user/devices/:id/test': () => {
        devices = []
        return ok({ message, testId: 't', outcome: 'unregistered' })
      },
    })
    await app.user.click(await button('Send a test to Chrome on Android'))
    await expectText(message)
    await until(() => expect(screen.queryByRole('list')).toBeNull())
  })
})
