/**
 * The worker that receives pushes. Path and scope are the provider's own defaults, so that its code finds the same worker when
 * it looks for one by itself. No page is within the scope: the worker shows notifications, and nothing else.
 */
export const workerPath = '/firebase-messaging-sw.js'
export const workerScope = '/firebase-cloud-messaging-push-scope'
