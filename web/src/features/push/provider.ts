import type { PushClientConfig } from '@portal/contracts/notifications/http'

/** Whoever gives out push tokens. */
export type PushProvider = {
  requestToken(config: PushClientConfig, worker: ServiceWorkerRegistration): Promise<string>
  /** The provider forgets the token and the browser its subscription. */
  revokeToken(config: PushClientConfig): Promise<unknown>
}

/** A library of its own, which only those load who have said yes to notifications. */
export const loadFirebase = (): Promise<PushProvider> => import('./firebase.ts')
