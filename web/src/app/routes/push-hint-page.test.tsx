import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeBrowser, fakeBrowser } from '../../features/push/testing/fake-browser.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

let app: OpenApp
let browser: FakeBrowser

/** The request for the permission at the start waits for an answer of the server that does not come. */
const open = async (permission: NotificationPermission = 'default') => {
  browser = fakeBrowser()
  browser.hasPermission(permission)
  app = await openApp({
    path: '/notification',
    user: aUser(),
    setUpInbox: (inbox) => void inbox.arrive(),
    answers: {
      'GET /notifications/push-key': () => new Promise<never>(() => undefined),
      'GET /user/devices': () => ({ status: 200, body: { success: true, devices: [] } }),
    },
  })
  await screen.findByRole('link', { name: /Notice 1/ })
}
const hint = () => screen.queryByText(/^Get notifications on this device\./)

afterEach(async () => {
  await app.close()
  browser.restore()
})

describe('the hint above the inbox', () => {
  it('[X-35] leads to the settings while the permission is undecided', async () => {
    await open()
    expect(hint()?.textContent).toBe('Get notifications on this device. Turn on')
    await app.user.click(screen.getByRole('link', { name: 'Turn on' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Notification settings' })).toBeDefined()
  })

  it.each(['granted', 'denied'] as const)('[X-35] is not there once the permission is %s', async (permission) => {
    await open(permission)
    expect(hint()).toBeNull()
  })

  it.each([
    ['granted', 'Notifications are on for this device.'],
    ['denied', 'Notifications are off. How to allow'],
  ] as const)('[X-35] says in the same place that it is %s by now', async (permission, says) => {
    await open()
    const line = hint()?.parentElement
    browser.hasPermission(permission)
    document.dispatchEvent(new Event('visibilitychange'))
    await until(() => expect(line?.textContent).toBe(says))
    expect(line?.isConnected).toBe(true)
  })

  it('[X-35] comes back once after it was closed, and the focus goes to the title', async () => {
    await open()
    for (const [timesClosed, isBack] of [
      ['1', true],
      ['2', false],
    ] as const) {
      await app.user.click(screen.getByRole('button', { name: 'Close this hint' }))
      expect(hint()).toBeNull()
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
      expect(localStorage.getItem('push_hint_closed')).toBe(timesClosed)
      await app.user.click(screen.getByRole('link', { name: 'Profile' }))
      await screen.findByRole('heading', { level: 1, name: 'Profile' })
      const bar = within(screen.getByRole('navigation', { name: 'Main' }))
      await app.user.click(bar.getByRole('link', { name: /Notification/ }))
      await screen.findByRole('link', { name: /Notice 1/ })
      expect(hint() !== null).toBe(isBack)
    }
  })
})
