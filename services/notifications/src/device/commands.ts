import type { SealedText } from '@portal/contracts/auth/events'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'

export type RegisterToken = {
  readonly type: 'RegisterToken'
  readonly tokenIndex: string
  readonly userId: UserId
  readonly sessionId: SessionId
  /** Sealed with the user's key. */
  readonly token: SealedText
  /** Whether pushes use it as it is. One that fell out behind newer ones is not kept, and is to be registered anew. */
  readonly isKept: boolean
}

/** Newer tokens of the user have taken the place of this registration. */
type SupersedeToken = {
  readonly type: 'SupersedeToken'
  readonly tokenIndex: string
  /** As it was registered: a later registration of the same token is another one. */
  readonly token: SealedText
}

/** The session that registered the token has ended. */
type EndSessionOfToken = {
  readonly type: 'EndSessionOfToken'
  readonly tokenIndex: string
  readonly sessionId: SessionId
}

/** The provider says that the token is gone for good. */
type DropToken = { readonly type: 'DropToken'; readonly tokenIndex: string; readonly userId: UserId }

export type DeviceCommand = RegisterToken | SupersedeToken | EndSessionOfToken | DropToken
