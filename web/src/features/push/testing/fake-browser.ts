import { vi } from 'vitest'
import type { PushProvider } from '../set-up-push.ts'

/** The push APIs that happy-dom lacks. `calls` records the calls to the browser and the push provider, in order. */
export const fakeBrowser = () => {
  const calls: string[] = []
  const shown: { readonly title: string; readonly options: NotificationOptions }[] = []
  let subscribed = false
  /** The key that the subscription was made with, and how many there were. */
  let subscribedKey: ArrayBuffer | null = null
  let subscriptions = 0
  /** The user's answer to the permission prompt. */
  let answer: NotificationPermission = 'granted'
  let permission: NotificationPermission = 'default'

  class WorkerState extends EventTarget {
    state = 'installing'
  }
  const installing = new WorkerState()
  const subscription = {
    get options() {
      return { applicationServerKey: subscribedKey }
    },
    toJSON: () => ({
      endpoint: `https://push.test/${subscriptions}`,
      expirationTime: null,
      keys: { p256dh: 'P', auth: 'A' },
    }),
    unsubscribe: async () => {
      calls.push('unsubscribe')
      subscribed = false
      return true
    },
  }
  const close = (one: (typeof shown)[number]) => {
    const at = shown.indexOf(one)
    // One that is closed already stays so.
    if (at >= 0) shown.splice(at, 1)
  }
  const registration = {
    active: {} as object | null,
    installing: null as WorkerState | null,
    waiting: null,
    pushManager: {
      getSubscription: async () => (subscribed ? subscription : null),
      subscribe: async ({ applicationServerKey: key }: { readonly applicationServerKey: string }) => {
        calls.push('subscribe')
        if (subscribed) throw new Error('The browser has a subscription already')
        subscribed = true
        subscribedKey = Uint8Array.from(Buffer.from(key, 'base64url')).buffer
        subscriptions += 1
        return subscription
      },
    },
    showNotification: async (title: string, options: NotificationOptions) => void shown.push({ title, options }),
    getNotifications: async (filter: { readonly tag?: string } = {}) =>
      shown
        .map((one) => ({ tag: one.options.tag ?? '', close: () => close(one) }))
        .filter(({ tag }) => filter.tag === undefined || filter.tag === tag),
  }

  const container = Object.assign(new EventTarget(), {
    register: async (path: string, { scope }: { scope: string }) => {
      calls.push(`register ${path} ${scope}`)
      return registration
    },
    getRegistration: async () => registration,
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true })
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('indexedDB', {})
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: async () => {
      if (permission === 'default') {
        calls.push('ask')
        permission = answer
      }
      return permission
    },
  })

  const provider: PushProvider & { token: string | Error } = {
    /** The token that the provider returns; an error is thrown. */
    token: 'a-push-token',
    requestToken: async () => {
      calls.push('request token')
      if (provider.token instanceof Error) throw provider.token
      subscribed = true
      return provider.token
    },
    revokeToken: async () => {
      calls.push('revoke token')
      await subscription.unsubscribe()
      return true
    },
  }

  return {
    calls,
    shown,
    provider,
    loadProvider: async (): Promise<PushProvider> => provider,
    willAnswer: (value: NotificationPermission) => {
      answer = value
    },
    hasPermission: (value: NotificationPermission) => {
      permission = value
    },
    isSubscribed: (value: boolean) => {
      subscribed = value
    },
    /** Delays the activation of the worker until the returned function is called. */
    installSlowly: () => {
      registration.active = null
      registration.installing = installing
      return () => {
        installing.state = 'activated'
        registration.active = installing
        installing.dispatchEvent(new Event('statechange'))
      }
    },
    /** Sends a message from the push worker to this page. Resolves with the response. */
    workerSays: (data: unknown): Promise<unknown> => {
      const { port1, port2 } = new MessageChannel()
      const answered = new Promise<unknown>((resolve) => {
        port1.addEventListener('message', (event: MessageEvent<unknown>) => resolve(event.data))
        port1.start()
      })
      container.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port2] }))
      return answered.finally(() => port1.close())
    },
    restore: () => {
      Reflect.deleteProperty(navigator, 'serviceWorker')
      vi.unstubAllGlobals()
    },
  }
}
export type FakeBrowser = ReturnType<typeof fakeBrowser>
