import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GenericContainer, Wait } from 'testcontainers'
import { eventStoreContract } from '@portal/platform/testing/event-store/contract'
import type { EventStoreHarness } from '@portal/platform/testing/event-store/contract/harness'
import { openEventStoreDb } from './eventstoredb.ts'
import { startServer } from '@portal/engines/event-store/server'

eventStoreContract('the EventStoreDB adapter on the stand-in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  // In this process: a process for each test would take longer than all of them.
  const standIn = await startServer({ port: 0, folder })
  return {
    open: () => openEventStoreDb({ url: `esdb://127.0.0.1:${standIn.port}?tls=false` }),
    dispose: async () => {
      standIn.stop()
      await rm(folder, { recursive: true })
    },
  }
})

/**
 * Runs on the real EventStoreDB if `TEST_ESDB_IMAGE` names its image and Docker is available. The rules need an empty log, so each
 * test gets its own server with the log in memory.
 */
const onContainer = async (image: string): Promise<EventStoreHarness> => {
  const container = await new GenericContainer(image)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_TELEMETRY_OPTOUT: 'true',
      EVENTSTORE_MAX_APPEND_SIZE: String(4 * 1024 * 1024),
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start()
  const url = `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`
  return {
    open: () => openEventStoreDb({ url }),
    dispose: async () => {
      await container.stop()
    },
  }
}

const image = process.env['TEST_ESDB_IMAGE']
if (image) eventStoreContract(`EventStoreDB's adapter, on ${image},`, () => onContainer(image))
