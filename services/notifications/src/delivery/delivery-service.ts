import { once } from 'node:events'
import { holdLease, type Lease } from '@portal/platform/bus/lease'
import type { PushSender } from '@portal/platform/outbound/port'
import type { Peers } from '@portal/platform/peers/port'
import type { DataPorts } from '@portal/platform/runtime/open-ports'
import type { Service } from '@portal/platform/runtime/service'
import { timingsOf } from '../service.ts'
import { buildDelivery, type Delivery } from './build-delivery.ts'
import { createRememberedOutcomes } from './remembered-outcomes.ts'
import { createRemoteSeen, hearSeen } from './remote-seen.ts'

/** How long after its last sign of life another process takes over. */
const leaseMs = 5_000

type Links = { readonly push: PushSender; readonly peers: Peers }

/**
 * Delivery where the sockets are in other processes. Of several such processes one leads and delivers: an overlap would push twice
 * what a device replaces by itself, and record outcomes of which the first counts.
 */
export const buildDeliveryService = (host: DataPorts, { push, peers }: Links): Service => {
  const { config, readModels, logger } = host
  const timings = timingsOf(config)
  const seenSource = createRemoteSeen(peers, logger)
  const remembered = createRememberedOutcomes()
  let delivering: Delivery | undefined
  let lease: Lease | undefined

  const lead = async (signal: AbortSignal): Promise<void> => {
    const delivery = buildDelivery({ ...host, push, timings, seenSource, remembered })
    delivering = delivery
    try {
      await delivery.start()
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      delivering = undefined
      await delivery.stop()
    }
  }
  return {
    name: 'delivery',
    publishers: [],
    // The lease holder runs the ledger projection itself.
    projections: [],
    routes: () => undefined,
    start: async () => {
      hearSeen(peers, (userId, seq, epoch) => delivering?.seen(userId, seq, epoch), logger)
      lease = holdLease({ readModel: readModels.control, name: 'delivery', lengthMs: leaseMs, logger, onLead: lead })
    },
    stop: async () => lease?.stop(),
  }
}
