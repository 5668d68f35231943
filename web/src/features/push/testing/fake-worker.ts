import {
  handlePushEvents,
  type OpenPage,
  type PushEvents,
  type PushScope,
  type ShownOptions,
} from '../worker/handle-push-events.ts'

type Page = Pick<OpenPage, 'focused' | 'visibilityState'> & {
  /** Whether the page answers messages, as it does for a signed-in user. */
  readonly listens: boolean
}
type Shown = ShownOptions & { readonly title: string }

type Inbox = {
  /** The server's answer to a request for the inbox. Throws without a network. */
  readonly answer: () => { readonly ok: boolean; readonly body: unknown }
  readonly hasBadge?: boolean
}
const offline: Inbox = {
  answer: () => {
    throw new TypeError('Failed to fetch')
  },
}

/** The push worker in a fake scope with the given open pages. */
export const fakeWorker = (open: readonly Partial<Page>[] = [], inbox: Inbox = offline) => {
  const requests: string[] = []
  const badges: number[] = []
  const shown: Shown[] = []
  const messages: { readonly page: number; readonly message: unknown }[] = []
  const focused: number[] = []
  const opened: string[] = []
  let unsubscribed = false
  const handlers: { [Type in keyof PushEvents]?: (event: PushEvents[Type]) => void } = {}

  const pages = open.map(({ listens = true, ...page }, index): OpenPage => ({
    focused: false,
    visibilityState: 'hidden',
    ...page,
    postMessage: (message, [port]) => {
      messages.push({ page: index, message })
      if (listens) port.postMessage({ taken: true })
    },
    focus: async () => void focused.push(index),
  }))
  const scope: PushScope = {
    location: { origin: 'https://portal.example' },
    navigator: inbox.hasBadge ? { setAppBadge: async (count) => void badges.push(count) } : {},
    fetch: async (path) => {
      requests.push(path)
      const { ok, body } = inbox.answer()
      return { ok, json: async () => body }
    },
    addEventListener: (type, handler) => {
      Object.assign(handlers, { [type]: handler })
    },
    skipWaiting: async () => undefined,
    clients: {
      matchAll: async () => pages,
      openWindow: async (url) => void opened.push(url),
    },
    registration: {
      getNotifications: async (filter) =>
        shown
          .filter(({ tag }) => filter === undefined || tag === filter.tag)
          .map((one) => ({ tag: one.tag ?? '', close: () => void shown.splice(shown.indexOf(one), 1) })),
      showNotification: async (title, options) => void shown.push({ title, ...options }),
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
  handlePushEvents(scope)

  /** Dispatches an event and waits for its `waitUntil`. */
  const dispatch = async (act: (waitUntil: (work: Promise<unknown>) => void) => void): Promise<void> => {
    let done: Promise<unknown> = Promise.resolve()
    act((work) => {
      done = work
    })
    await done
  }
  const receive = (json: () => unknown) => dispatch((waitUntil) => handlers.push?.({ waitUntil, data: { json } }))
  return {
    shown,
    messages,
    focused,
    opened,
    requests,
    badges,
    isUnsubscribed: () => unsubscribed,
    receives: (payload: unknown) => receive(() => payload),
    receivesText: (text: string) => receive((): unknown => JSON.parse(text)),
    isClicked: (url: unknown) =>
      dispatch((waitUntil) =>
        handlers.notificationclick?.({ waitUntil, notification: { data: { url }, close: () => undefined } }),
      ),
    losesSubscription: () => dispatch((waitUntil) => handlers.pushsubscriptionchange?.({ waitUntil })),
  }
}
