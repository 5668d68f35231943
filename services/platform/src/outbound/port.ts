/**
 * E-mail, SMS and push. Only reactors and workers send; projections and the replay never import this folder. Every call has a timeout
 * and rejects if the provider did not accept the message.
 */

/** The time was up, or the connection ended, before an answer: the provider may have taken the message and still deliver it. */
export class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError'
  constructor(cause: unknown) {
    super(`no answer, the message may still arrive (${cause instanceof Error ? cause.message : String(cause)})`, {
      cause,
    })
  }
}

/** By these ids an erasure finds the message in the development mailbox: its recipient, and others whom it names. */
type WithPeople = { readonly userIds: readonly string[] }

export type Mail = WithPeople & {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly code?: string
  readonly link?: string
  /** The same for a repetition, which mail programs then show once. Printable ASCII without spaces, `<`, `>` and `@`. */
  readonly id?: string
  /** An address that ends such e-mails by one POST, for mail programs (RFC 8058). */
  readonly unsubscribeUrl?: string
}
export type MailSender = { send(mail: Mail): Promise<void>; close(): Promise<void> }

export type Sms = WithPeople & { readonly to: string; readonly text: string; readonly code?: string }
export type SmsSender = { send(sms: Sms): Promise<void>; close(): Promise<void> }

export const maxTokensPerPush = 100

export type PushMessage = {
  /** Used as tag and collapse key, too, so that a retry replaces the push instead of showing it twice. */
  readonly notificationId: string
  readonly title: string
  readonly body: string
  /** Path to open: `/notification/…`. */
  readonly url: string
  readonly type: string
  /** The address of a picture. */
  readonly image?: string
  /** Of title and body if they are a translation; BCP 47. */
  readonly lang?: string
}
export type PushOutcome =
  | { readonly kind: 'accepted' }
  /** The provider reports that the token is no longer valid: the only reason to remove it. */
  | { readonly kind: 'unregistered' }
  /** The provider did not accept it this time. Retry, at the earliest after `retryAfterMs`. */
  | {
      readonly kind: 'unavailable'
      readonly reason: string
      readonly retryAfterMs?: number
      /** Says nothing about other tokens: browsers choose their push service, and a user can name any. */
      readonly isOfToken?: true
    }
  /** Rejected permanently: a retry would be rejected, too. */
  | { readonly kind: 'failed'; readonly reason: string }
export type PushSender = {
  /** Returns one outcome per token, in order. At most `maxTokensPerPush` per call. `userIds`: the owners of the tokens, in the same order. */
  send(tokens: readonly string[], message: PushMessage, userIds?: readonly string[]): Promise<readonly PushOutcome[]>
  close(): Promise<void>
}
