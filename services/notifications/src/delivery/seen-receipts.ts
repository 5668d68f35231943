import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/**
 * Who can tell on how many open devices a notification has been seen: the gateway, which knows the sockets. A port, so that
 * a send needs to know nothing of sockets.
 */
export type SeenReceipts = {
  /**
   * The number of open devices of these users on which it has been seen: as soon as all of them have said so, at once when
   * there is none, after `timeoutMs` as far as it got.
   */
  wait(notificationId: NotificationId, userIds: readonly UserId[], timeoutMs: number): Promise<number>
}
