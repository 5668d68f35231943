import { randomUUID } from 'node:crypto'
import type { Agent } from 'node:https'
import type { Credential } from 'firebase-admin/app'
import type { Messaging } from 'firebase-admin/messaging'
import type { ServiceAccount } from './service-account.ts'

export type OpenMessaging = { readonly messaging: Messaging; close(): Promise<void> }

export type MessagingOptions = {
  readonly serviceAccount: ServiceAccount
  readonly agent: Agent
  /** Gets the access tokens, instead of what firebase-admin makes of the service account. */
  readonly credential?: Credential | undefined
}

/** Loads firebase-admin, which a portal without this provider never does. */
export const openMessaging = async (options: MessagingOptions): Promise<OpenMessaging> => {
  const { serviceAccount, agent } = options
  const [{ cert, deleteApp, initializeApp }, { getMessaging }] = await Promise.all([
    import('firebase-admin/app'),
    import('firebase-admin/messaging'),
  ])
  const { projectId, clientEmail, privateKey } = serviceAccount
  const credential = options.credential ?? cert({ projectId, clientEmail, privateKey }, agent)
  // Apps are global by name, and another sender is another app.
  const app = initializeApp({ credential, projectId, httpAgent: agent }, `push-${randomUUID()}`)
  return { messaging: getMessaging(app), close: () => deleteApp(app) }
}
