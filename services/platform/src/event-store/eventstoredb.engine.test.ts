import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventStoreContract } from '@portal/platform/testing/event-store/contract'
import { realServers } from '@portal/platform/testing/event-store/servers'
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

// The rules need an empty log, so each test gets its own server.
for (const [name, start] of realServers) {
  eventStoreContract(`EventStoreDB's adapter, on ${name},`, async () => {
    const { url, stop } = await start()
    return { open: () => openEventStoreDb({ url }), dispose: stop }
  })
}
