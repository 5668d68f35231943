/** What the push worker uses of its surroundings. The project's types know a page's globals, of which a worker has others. */

type WorkerEvent = { readonly waitUntil: (work: Promise<unknown>) => void }

export type PushEvents = {
  readonly install: WorkerEvent
  readonly push: WorkerEvent & { readonly data: { json(): unknown } | null }
  readonly notificationclick: WorkerEvent & { readonly notification: { readonly data: unknown; close(): void } }
  readonly pushsubscriptionchange: WorkerEvent
}

/** An open page of the portal. */
export type OpenPage = {
  readonly focused: boolean
  readonly visibilityState: DocumentVisibilityState
  postMessage(message: unknown, transfer: [MessagePort]): void
  focus(): Promise<unknown>
}

/** TypeScript's own leave the picture out. */
export type ShownOptions = NotificationOptions & { readonly image?: string }

export type PushScope = {
  readonly location: { readonly origin: string }
  addEventListener<Type extends keyof PushEvents>(type: Type, listener: (event: PushEvents[Type]) => void): void
  skipWaiting(): Promise<void>
  readonly clients: {
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: {
    getNotifications(filter: { readonly tag: string }): Promise<readonly unknown[]>
    showNotification(title: string, options: ShownOptions): Promise<void>
    readonly pushManager: { getSubscription(): Promise<{ unsubscribe(): Promise<boolean> } | null> }
  }
}
