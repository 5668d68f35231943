/**
 * What leaves the portal: e-mail, SMS and push. Only effects (never projections, never the replay) may import this folder.
 * Every call is bounded in time and rejects when the message was not taken over.
 */
export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly code?: string
  readonly link?: string
}
export type MailSender = { send(mail: Mail): Promise<void>; close(): Promise<void> }

export type Sms = { readonly to: string; readonly text: string; readonly code?: string }
export type SmsSender = { send(sms: Sms): Promise<void>; close(): Promise<void> }

export const maxTokensPerPush = 100

export type PushMessage = {
  /** Also the tag and the collapse key, so that a retry replaces rather than repeats. */
  readonly notificationId: string
  readonly title: string
  readonly body: string
  /** Path to open: `/notification/…`. */
  readonly url: string
  readonly type: string
}
export type PushOutcome =
  | { readonly kind: 'accepted' }
  /** The provider's typed answer that the token is gone for good: the only reason to prune it. */
  | { readonly kind: 'unregistered' }
  /** Not taken over this time; worth another attempt, at the earliest after what the provider asks for. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** Refused: the same again would be refused again. */
  | { readonly kind: 'failed'; readonly reason: string }
export type PushSender = {
  /** One outcome per token, in order. At most `maxTokensPerPush` a call. */
  send(tokens: readonly string[], message: PushMessage): Promise<readonly PushOutcome[]>
  close(): Promise<void>
}
