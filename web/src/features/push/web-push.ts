/** Web Push: the browser's own push service, without an account at a provider. */

const prefix = 'webpush:'

/** Whether the token is a subscription. Tokens of FCM have no such prefix. */
export const isSubscriptionToken = (token: string): boolean => token.startsWith(prefix)

const base64Url = (binary: string): string => btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const keyOf = ({ options }: PushSubscription): string =>
  base64Url(String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())))

/** The token of a subscription as the server takes it. Undefined if it was made with another key, so that the server cannot use it. */
export const subscriptionToken = (subscription: PushSubscription, key: string): string | undefined =>
  keyOf(subscription) === key ? prefix + base64Url(JSON.stringify(subscription)) : undefined

/** Subscribes this browser to the pushes of the server with this public key. */
export const subscribe = async (key: string, { pushManager }: ServiceWorkerRegistration): Promise<string> => {
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  return prefix + base64Url(JSON.stringify(subscription))
}
