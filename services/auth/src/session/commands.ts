import type { SessionEndReason } from '@portal/contracts/auth/events'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'

export type SessionCommand =
  | {
      readonly type: 'StartSession'
      readonly sessionId: SessionId
      readonly userId: UserId
      readonly expiresAt: Date
    }
  | {
      readonly type: 'EndSession'
      readonly sessionId: SessionId
      readonly userId: UserId
      readonly expiresAt: Date
      readonly reason: SessionEndReason
    }
