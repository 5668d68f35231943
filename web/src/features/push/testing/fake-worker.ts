import source from '../../../../public/firebase-messaging-sw.js?raw'

type Page = {
  readonly focused: boolean
  readonly visibilityState: DocumentVisibilityState
  /** Whether it answers, as the page of somebody who is signed in does. */
  readonly listens: boolean
}
type Shown = { readonly title: string; readonly body?: string; readonly tag?: string; readonly data: { url: string } }

/** The push worker's script in a scope of its own, with the pages that a test says are open. */
export const fakeWorker = (open: readonly Partial<Page>[] = []) => {
  const shown: Shown[] = []
  const told: { readonly page: number; readonly message: unknown }[] = []
  const focused: number[] = []
  const opened: string[] = []
  let unsubscribed = false
  const handlers = new Map<string, (event: object) => void>()

  const pages = open.map((page, index) => ({
    focused: false,
    visibilityState: 'hidden',
    ...page,
    postMessage: (message: unknown, [port]: readonly [MessagePort]) => {
      told.push({ page: index, message })
      if (page.listens !== false) port.postMessage({ taken: true })
    },
    focus: async () => void focused.push(index),
  }))
  const scope = {
    location: { origin: 'https://portal.example' },
    addEventListener: (type: string, handler: (event: object) => void) => void handlers.set(type, handler),
    skipWaiting: async () => undefined,
    clients: {
      matchAll: async () => pages,
      openWindow: async (url: string) => void opened.push(url),
    },
    registration: {
      getNotifications: async ({ tag }: { tag: string }) => shown.filter((notification) => notification.tag === tag),
      showNotification: async (title: string, options: Omit<Shown, 'title'>) => void shown.push({ title, ...options }),
      pushManager: {
        getSubscription: async () => ({
          unsubscribe: async () => {
            unsubscribed = true
            return true
          },
        }),
      },
    },
  }
  // oxlint-disable-next-line typescript/no-implied-eval -- Workers are scripts, not modules; this is how one is run here.
  new Function('self', source)(scope)

  const happen = async (type: string, event: object): Promise<void> => {
    let done: Promise<unknown> = Promise.resolve()
    handlers.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => (done = work) })
    await done
  }
  return {
    shown,
    told,
    focused,
    opened,
    isUnsubscribed: () => unsubscribed,
    receives: (payload: unknown) => happen('push', { data: { json: () => payload } }),
    receivesText: (text: string) => happen('push', { data: { json: (): unknown => JSON.parse(text) } }),
    isClicked: (url: unknown) =>
      happen('notificationclick', { notification: { data: { url }, close: () => undefined } }),
    losesSubscription: () => happen('pushsubscriptionchange', {}),
  }
}
