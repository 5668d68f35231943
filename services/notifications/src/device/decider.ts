import type { SealedText } from '@portal/contracts/auth/events'
import type { SessionId, UserId } from '@portal/contracts/shared/ids'
import type { Decider } from '@portal/platform/decider/decider'
import { ok, type Result } from '@portal/platform/decider/result'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { DeviceCommand } from './commands.ts'
import { type DeviceEvent, deviceEventSchema, type RemovalReason } from './events.ts'

/** Whose the token is, and how it was registered. */
type DeviceState = { readonly userId: UserId; readonly sessionId: SessionId; readonly token: SealedText } | undefined

const removed = (tokenIndex: string, userId: UserId, reason: RemovalReason): DeviceEvent => ({
  type: 'PushTokenRemoved',
  data: { tokenIndex, userId, reason },
})

/**
 * One push token belongs to one user and one session at a time. A browser keeps its token when another person logs in on
 * it: then the token moves. A late word about a former owner, or a former registration, touches no other.
 */
export const deviceDecider: Decider<DeviceState, DeviceCommand, DeviceEvent, never> = {
  category: 'device',
  initial: undefined,

  decide(command, owner): Result<readonly DeviceEvent[], never> {
    const { tokenIndex } = command
    switch (command.type) {
      case 'RegisterToken': {
        const { userId, sessionId, token, isKept } = command
        if (owner?.userId === userId && owner.sessionId === sessionId && isKept) return ok([])
        const registered: DeviceEvent = {
          type: 'PushTokenRegistered',
          data: { tokenIndex, userId, sessionId, token },
        }
        if (owner === undefined || owner.userId === userId) return ok([registered])
        return ok([removed(tokenIndex, owner.userId, 'moved'), registered])
      }
      case 'SupersedeToken':
        return owner?.token === command.token ? ok([removed(tokenIndex, owner.userId, 'superseded')]) : ok([])
      case 'EndSessionOfToken':
        return owner?.sessionId === command.sessionId ? ok([removed(tokenIndex, owner.userId, 'logged-out')]) : ok([])
      case 'DropToken':
        return owner?.userId === command.userId ? ok([removed(tokenIndex, owner.userId, 'unregistered')]) : ok([])
    }
  },

  evolve: (_owner, { type, data }) =>
    type === 'PushTokenRegistered' ? { userId: data.userId, sessionId: data.sessionId, token: data.token } : undefined,

  parse: storedEventReader(deviceEventSchema),
}
