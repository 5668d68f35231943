/*
 * Receives pushes while no page of the portal is looked at, and when one is, hands them to it. It alone shows notifications, so the
 * push provider's own code is not loaded here. A plain script at a fixed address, as browsers tie subscriptions to it; what it says
 * to pages is in src/features/push/worker-messages.ts.
 */
;(function () {
  const defaultTitle = 'Notification'
  const defaultUrl = '/notification'
  const defaultIcon = '/icons/icon-192.png'
  /** A page that does not answer within this time does not listen: nobody is signed in there. */
  const answerTimeoutMs = 500
  /** Browsers allow a click to open a window for a few seconds only. */
  const mostAsked = 4
  /** Told to the page that a click opens; src/features/push/opened-mark.ts takes it off again. */
  const openedMark = 'opened=push'

  const text = (value) => (typeof value === 'string' ? value.trim() : '')
  const object = (value) => (typeof value === 'object' && value !== null ? value : {})

  const parsed = (data) => {
    try {
      return data ? object(data.json()) : {}
    } catch {
      // Whatever it was, it did not come from the portal. A browser wants something shown all the same.
      return {}
    }
  }

  /** Only pages of the portal are opened, whatever a message says. */
  const localUrl = (url) => {
    try {
      const address = new URL(url || defaultUrl, self.location.origin)
      return address.origin === self.location.origin ? address.pathname + address.search + address.hash : defaultUrl
    } catch {
      return defaultUrl
    }
  }

  /** The portal sends data alone; test messages from the provider's console bring a notification instead. */
  const messageOf = (payload) => {
    const data = object(payload.data)
    const notification = object(payload.notification)
    const link = text(object(payload.fcmOptions).link)
    return {
      notificationId: text(data.notificationId),
      title: text(data.title) || text(notification.title),
      body: text(data.body) || text(notification.body),
      icon: text(data.icon) || text(notification.icon) || defaultIcon,
      image: text(data.image) || text(notification.image),
      url: localUrl(text(data.url) || link),
    }
  }

  /** Those that are looked at come first. */
  const pages = async () => {
    const rank = (page) => (page.focused ? 0 : page.visibilityState === 'visible' ? 1 : 2)
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    return open.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostAsked)
  }

  /** Whether the page took it. */
  const tell = (page, message) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      const settle = (isTaken) => {
        clearTimeout(timer)
        port1.close()
        resolve(isTaken)
      }
      const timer = setTimeout(() => settle(false), answerTimeoutMs)
      port1.addEventListener('message', ({ data }) => settle(object(data).taken === true))
      port1.start()
      page.postMessage(message, [port2])
    })

  const isShown = async (tag) => tag !== '' && (await self.registration.getNotifications({ tag })).length > 0

  const show = ({ notificationId, title, body, icon, image, url }) =>
    self.registration.showNotification(title || defaultTitle, {
      body,
      icon,
      data: { url },
      ...(image && { image }),
      ...(notificationId && { tag: notificationId }),
    })

  const receive = async (payload) => {
    const message = messageOf(payload)
    // The server pushes again when it cannot be sure that it has.
    if (await isShown(message.notificationId)) return
    for (const page of await pages()) {
      if (page.visibilityState === 'visible' && (await tell(page, { kind: 'push-received', message }))) return
    }
    await show(message)
  }

  const open = async (url) => {
    for (const page of await pages()) {
      if (!(await tell(page, { kind: 'push-opened', url }))) continue
      await page.focus()
      return
    }
    const address = new URL(url, self.location.origin)
    address.search += (address.search === '' ? '?' : '&') + openedMark
    await self.clients.openWindow(address.href)
  }

  /** A page gets a new token, now or when one is opened next, which it knows by the missing subscription. */
  const dropSubscription = async () => {
    const subscription = await self.registration.pushManager.getSubscription()
    if (subscription) await subscription.unsubscribe()
    for (const page of await pages()) if (await tell(page, { kind: 'push-subscription-changed' })) return
  }

  self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
  self.addEventListener('push', (event) => event.waitUntil(receive(parsed(event.data))))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(localUrl(text(object(event.notification.data).url))))
  })
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(dropSubscription()))
})()
