import { afterEach, describe, expect, it, vi } from 'vitest'
import { isPushSupported } from './support.ts'
import { fakeBrowser } from './testing/fake-browser.ts'

describe('push', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })

  it.each(['Notification', 'PushManager', 'fetch', 'indexedDB'])('needs %s', (name) => {
    fakeBrowser()
    expect(isPushSupported()).toBe(true)
    vi.stubGlobal(name, undefined)
    expect(isPushSupported()).toBe(false)
  })

  it('needs service workers', () => {
    fakeBrowser()
    Reflect.deleteProperty(navigator, 'serviceWorker')
    expect(isPushSupported()).toBe(false)
  })
})
