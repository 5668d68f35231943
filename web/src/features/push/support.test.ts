import { afterEach, describe, expect, it, vi } from 'vitest'
import { isPushSupported } from './support.ts'
import { fakeBrowser } from './testing/fake-browser.ts'

describe('push', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })

  it.each(['Notification', 'PushManager', 'fetch', 'indexedDB'])('[F-10] needs %s', (name) => {
    fakeBrowser()
    expect(isPushSupported()).toBe(true)
    vi.stubGlobal(name, undefined)
    expect(isPushSupported()).toBe(false)
  })

  it('[F-10] needs service workers', () => {
    fakeBrowser()
    Reflect.deleteProperty(navigator, 'serviceWorker')
    expect(isPushSupported()).toBe(false)
  })
})
