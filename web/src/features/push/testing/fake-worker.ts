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

/** The push worker in a fake scope with the given open pages. */
export const fakeWorker = (open: readonly Partial<Page>[] = []) => {
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
    addEventListener: (type, handler) => {
      Object.assign(handlers, { [type]: handler })
    },
    skipWaiting: async () => undefined,
    clients: {
      matchAll: async () => pages,
      openWindow: async (url) => void opened.push(url),
    },
    registration: {
      getNotifications: async ({ tag }) => shown.filter((notification) => notification.tag === tag),
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
