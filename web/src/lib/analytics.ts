/** What is worth counting. Whoever counts reads `window.dataLayer`; the portal itself sends it nowhere. */
export type AnalyticsEvent =
  | { readonly event: 'notification_open'; readonly url: string }
  | { readonly event: 'notification_foreground'; readonly notificationId: string }

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/** Nobody may be reading. */
const mostKept = 200

export const track = (event: AnalyticsEvent): void => {
  window.dataLayer ??= []
  window.dataLayer.push(event)
  if (window.dataLayer.length > mostKept) window.dataLayer.shift()
}
