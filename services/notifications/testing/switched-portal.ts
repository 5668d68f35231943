import type { UserId } from '@portal/contracts/shared/ids'
import { openInProcessBus } from '@portal/platform/bus/in-process'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { openReadModels } from '@portal/platform/generations/read-models'
import { buildMissing } from '@portal/platform/generations/build-missing'
import type { ReplayPorts } from '@portal/platform/generations/run-with-replay-lock'
import { runProjection } from '@portal/platform/generations/run-projection'
import { dropSqliteReadModel, openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import type { CommitOutcome, ReadModel } from '@portal/platform/read-model/port'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createInboxReader } from '../src/inbox/inbox-reader.ts'
import { inboxProjection } from '../src/inbox/projection.ts'
import { createContentCache } from '../src/inbox/content-cache.ts'
import { notificationsPublishers } from '../src/projections.ts'
import { decidedSend } from './memory-log.ts'
import { plainTexts } from './plain-texts.ts'

const logger = pino({ level: 'silent' })

/** Inboxes in a folder, projected and read by two processes that switch generations independently. */
export const openSwitchedPortal = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switched-'))
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  let fencedCommits = 0
  const noteFenced = (outcome: CommitOutcome): CommitOutcome => {
    if (outcome === 'fenced') fencedCommits += 1
    return outcome
  }
  const open = async (namespace: string): Promise<ReadModel> => {
    const readModel = openSqliteReadModel({ path: folder, namespace })
    return {
      ...readModel,
      commit: async (commit) => noteFenced(await readModel.commit(commit)),
      commitAll: async (commits) => (await readModel.commitAll(commits)).map(noteFenced),
    }
  }
  const openProcess = async () => {
    const readModels = await openReadModels({ projections: [projectionKey(inboxProjection)], open, logger })
    const active = readModels.of(inboxProjection)
    return {
      readModels,
      active,
      inbox: createInboxReader(active, { contentCache: createContentCache(active), fillTexts: plainTexts }),
    }
  }
  const [projecting, reading] = [await openProcess(), await openProcess()]
  const bus = await openInProcessBus({ eventStore, publishers: notificationsPublishers, logger })
  const { active: readModel, readModels } = projecting
  const { continuity } = readModels
  const ports: ReplayPorts = {
    log: eventStore,
    publishers: notificationsPublishers,
    open,
    drop: (namespace) => dropSqliteReadModel({ path: folder, namespace }),
    busIsLog: true,
    logger,
  }
  // As at a start: only a version that is built can be projected and read.
  const projections = [inboxProjection]
  for (const built of [projecting, reading])
    await buildMissing(ports, { projections, readModels: built.readModels, stamp: 'first' })
  const running = await runProjection({
    projection: inboxProjection,
    bus,
    readModel,
    continuity,
    log: eventStore,
    logger,
  })
  let sends = 0

  return {
    ports,
    /** The first one also projects. */
    processes: [projecting, reading] as const,
    /** Records a campaign to these users without waiting for the projection. */
    async send(to: readonly UserId[]): Promise<void> {
      sends += 1
      const { stream, events } = decidedSend(sends, to)
      const recorded = events.map((event) => ({ ...event, id: randomUUID() }))
      const appended = await eventStore.append(stream, 'any', recorded)
      if (appended.kind === 'conflict') throw new Error(`${stream} is written by another test`)
    },
    /** How many commits a fence has refused. */
    fencedCommits: () => fencedCommits,
    stopProjecting: () => running.stop(),
    async close(): Promise<void> {
      await running.stop()
      await bus.close()
      for (const each of [projecting, reading]) await each.readModels.close()
      await eventStore.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type SwitchedPortal = Awaited<ReturnType<typeof openSwitchedPortal>>
