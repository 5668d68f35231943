import { peerSubjects } from '@portal/contracts/notifications/peers'
import type { Peers } from '@portal/platform/peers/port'

/** Whether the portal has a mail server. */
export type HasMailServer = () => Promise<boolean>

const timeoutMs = 2_000

/** Asks the processes that deliver, because others do not get `SMTP_URL`. If none answers, users can choose all the same. */
export const createRemoteHasMailServer =
  (peers: Pick<Peers, 'request'>): HasMailServer =>
  async () =>
    !(await peers.request(peerSubjects.hasMailServer, null, timeoutMs)).includes(false)

export const onMailServerQuestions = (peers: Pick<Peers, 'onRequest'>, hasMailServer: boolean): void =>
  peers.onRequest(peerSubjects.hasMailServer, async () => hasMailServer)
