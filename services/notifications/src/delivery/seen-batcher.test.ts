import type { UserId } from '@portal/contracts/shared/ids'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inboxProjection } from '../inbox/projection.ts'
import { createMemoryLog, type MemoryLog, recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { userIdAt } from '@portal/notifications/testing/samples'
import { pendingDeliveriesProjection, readPending } from './pending-deliveries.ts'
import { createSeenBatcher, type SeenBatcher } from './seen-batcher.ts'

const ada: UserId = userIdAt(1)

let log: MemoryLog
let pendingDeliveries: ProjectedLog
/** The active generation, and a rebuild from the same log. */
let inboxes: ProjectedLog
let rebuilt: ProjectedLog
let serving: ProjectedLog
let window: SeenBatcher

beforeEach(() => {
  log = createMemoryLog()
  pendingDeliveries = createProjectedLog(pendingDeliveriesProjection, log)
  inboxes = createProjectedLog(inboxProjection, log)
  rebuilt = createProjectedLog(inboxProjection, log)
  serving = inboxes
  window = createSeenBatcher({
    eventStore: { append: async (stream, _expected, events) => log.append(stream, ...events) },
    readModel: {
      get epoch() {
        return serving.readModel.epoch
      },
      get: (ref) => serving.readModel.get(ref),
      getMany: (refs) => serving.readModel.getMany(refs),
      entries: (partition, lists) => serving.readModel.entries(partition, lists),
    },
    schedule: { pendingOf: (bucket) => readPending(pendingDeliveries.readModel, bucket) },
    gatherMs: 1_000_000,
    logger: pino({ level: 'silent' }),
  })
})
afterEach(async () => {
  await window.stop()
  await Promise.all([pendingDeliveries.close(), inboxes.close(), rebuilt.close()])
})

const projectAll = () => Promise.all([pendingDeliveries.project(), inboxes.project(), rebuilt.project()])

/** Returns how many recipients are pending after all reports have been recorded. */
const openAfterFlush = async (): Promise<number> => {
  await window.flush()
  await projectAll()
  const open = await readPending(pendingDeliveries.readModel, bucketKey(ada))
  return open.flatMap(({ pending, active }) => [...pending, ...active]).length
}

describe('the seen batcher', () => {
  it('settles what a report covers in its epoch, once, and nothing after it', async () => {
    for (const n of [1, 2, 3]) recordSend(log, n, [ada])
    await projectAll()
    window.seen(ada, 2, inboxes.readModel.epoch)
    expect(await openAfterFlush()).toBe(1)
    const settled = log.events.length
    window.seen(ada, 2, inboxes.readModel.epoch)
    window.seen(ada, 0, inboxes.readModel.epoch)
    window.seen(userIdAt(2), 9, inboxes.readModel.epoch)
    expect(await openAfterFlush()).toBe(1)
    expect(log.events).toHaveLength(settled)
  })

  it('settles nothing of a renumbered inbox', async () => {
    window.seen(ada, 1_000, inboxes.readModel.epoch)
    serving = rebuilt
    recordSend(log, 1, [ada])
    await projectAll()
    window.recheck([ada])
    window.seen(ada, 1_000, inboxes.readModel.epoch)
    expect(await openAfterFlush()).toBe(1)
  })

  it('settles nothing if the epoch is unknown', async () => {
    recordSend(log, 1, [ada])
    await projectAll()
    window.seen(ada, 1_000, '')
    expect(await openAfterFlush()).toBe(1)
  })

  it('counts a report after the switch if the gateway switched earlier', async () => {
    recordSend(log, 1, [ada])
    await projectAll()
    window.seen(ada, 1, rebuilt.readModel.epoch)
    expect(await openAfterFlush()).toBe(1)
    serving = rebuilt
    window.recheck([ada])
    expect(await openAfterFlush()).toBe(0)
  })
})
