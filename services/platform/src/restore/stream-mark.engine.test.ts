import { describe, expect, onTestFinished, test } from 'vitest'
import { pull } from '@portal/platform/testing/event-store/contract/harness'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { openMarks, requireCompleteStore } from './open-marks.ts'
import type { RestoreMark } from './restore-mark.ts'

const mark: RestoreMark = {
  command: 'move-log',
  id: '01980000-0000-7000-8000-000000000001',
  source: '/data/events.db',
  runAgain: 'make move-log TO=esdb://store:2113',
  step: 'copying',
}

describe.each(serversUnderTest)('the mark in EventStoreDB, %s', (_name, startServer) => {
  test('RS-4 is visible to every process until the move ends, but to no subscription', async () => {
    const server = await startServer()
    onTestFinished(() => server.stop())
    const store = { dataDir: '/nowhere', eventStoreUrl: server.url }
    const marks = await openMarks(store)
    expect(await marks.read()).toBeUndefined()
    await marks.write(mark)
    await marks.write({ ...mark, step: 'copied', events: 7 })
    await expect(requireCompleteStore(store)).rejects.toThrow(
      'A move into this event store was interrupted. Run it again: make move-log TO=esdb://store:2113',
    )
    const log = await openEventStoreDb({ url: server.url })
    expect(await log.end()).toBe('start')
    const subscription = pull(log)
    expect(await subscription.untilCaughtUp()).toEqual({ events: [], position: 'start' })
    await subscription.stop()
    await log.close()
    await marks.clear()
    await expect(requireCompleteStore(store)).resolves.toBeUndefined()
    await marks.write(mark)
    expect(await marks.read()).toEqual(mark)
    await marks.close()
  })
})
