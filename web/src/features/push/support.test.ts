import { afterEach, describe, expect, it, vi } from 'vitest'
import { isPushSupported } from './support.ts'
import { fakeBrowser } from './testing/fake-browser.ts'

describe('push', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })

  it('[F-10] needs service workers and four functions of the browser', () => {
    fakeBrowser()
    for (const name of ['Notification', 'PushManager', 'fetch', 'indexedDB']) {
      expect(isPushSupported()).toBe(true)
      vi.stubGlobal(name, undefined)
      expect([name, isPushSupported()]).toEqual([name, false])
      vi.unstubAllGlobals()
      fakeBrowser()
    }
    Reflect.deleteProperty(navigator, 'serviceWorker')
    expect(isPushSupported()).toBe(false)
  })
})
