import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expectShifted } from './clock-and-volume.ts'
import type { StandalonePortal } from './standalone-portal.ts'
import type { Scenario } from './scenario.ts'

const downMs = 1_000
const behindMs = 5_000
const frozenMs = 30_000
const fullMs = 15_000

const copyFolder = ({ folder }: StandalonePortal) => join(folder, 'copy')
const readModelsOf = ({ dataDir }: StandalonePortal) => join(dataDir, 'read-models')

/** A consistent copy of a database in use. */
const copyDatabase = async (from: string, to: string): Promise<void> => {
  await rm(to, { force: true })
  const database = new DatabaseSync(from, { readOnly: true })
  try {
    database.prepare('VACUUM INTO ?').run(to)
  } finally {
    database.close()
  }
}

const removeDatabase = async (file: string): Promise<void> => {
  for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true })
}

const events = ({ dataDir }: StandalonePortal) => join(dataDir, 'events.db')
const eventsCopy = (portal: StandalonePortal) => join(copyFolder(portal), 'events.db')

const copyEvents = async (portal: StandalonePortal): Promise<void> => {
  await mkdir(copyFolder(portal), { recursive: true })
  await copyDatabase(events(portal), eventsCopy(portal))
}
const putEventsBack = async (portal: StandalonePortal): Promise<void> => {
  await removeDatabase(events(portal))
  await cp(eventsCopy(portal), events(portal))
}

const storeRows: readonly Scenario[] = [
  {
    name: 'one-store-emptied',
    title: 'event store emptied while the portal is down and tries to start, its data put back 10 s later',
    where: 'one',
    inject: async (portal, trial) => {
      await trial.pauseSends()
      trial.copyTaken()
      await portal.kill()
      await copyEvents(portal)
      await removeDatabase(events(portal))
      trial.resumeSends()
      await portal.start()
      await pause(10_000)
    },
    heal: async (portal, trial) => {
      await portal.kill()
      await putEventsBack(portal)
      trial.wentBack()
      await portal.start()
    },
  },
  {
    name: 'one-store-older',
    title: 'event store restored from a copy that is 5 s older',
    where: 'one',
    inject: async (portal, trial) => {
      trial.copyTaken()
      await copyEvents(portal)
      await pause(behindMs)
      await portal.kill()
      await putEventsBack(portal)
      trial.wentBack()
    },
    heal: (portal) => portal.start(),
  },
]

const readModelRows: readonly Scenario[] = [
  {
    name: 'one-read-models-emptied',
    title: 'read models deleted while the portal is down',
    where: 'one',
    inject: async (portal) => {
      await portal.kill()
      await rm(readModelsOf(portal), { recursive: true, force: true })
    },
    heal: (portal) => portal.start(),
  },
  {
    name: 'one-read-models-older',
    title: 'read models restored from a copy that is 5 s older',
    where: 'one',
    inject: async (portal) => {
      const files = (await readdir(readModelsOf(portal))).filter((file) => file.endsWith('.db'))
      await mkdir(copyFolder(portal), { recursive: true })
      for (const file of files) await copyDatabase(join(readModelsOf(portal), file), join(copyFolder(portal), file))
      await pause(behindMs)
      await portal.kill()
      await rm(readModelsOf(portal), { recursive: true, force: true })
      await cp(copyFolder(portal), readModelsOf(portal), { recursive: true })
    },
    heal: (portal) => portal.start(),
  },
]

const crowd = { crowdSockets: 2_000, sendPauseMs: 3_000 } as const

const processRows: readonly Scenario[] = [
  ...([false, true] as const).map((isCrowded): Scenario => ({
    name: isCrowded ? 'one-sockets' : 'one-killed',
    title: isCrowded ? '2,000 sockets reconnect at once: the process killed' : 'the process killed, started 1 s later',
    where: 'one',
    ...(isCrowded && crowd),
    inject: async (portal) => {
      await portal.kill()
      await pause(downMs)
    },
    heal: (portal) => portal.start(),
  })),
  {
    name: 'one-stop',
    title: 'SIGSTOP for 30 s',
    where: 'one',
    inject: async (portal) => {
      process.kill(await portal.pidOf('portal'), 'SIGSTOP')
      await pause(frozenMs)
    },
    heal: async (portal) => void process.kill(await portal.pidOf('portal'), 'SIGCONT'),
  },
]

const machineRows: readonly Scenario[] = [
  ...([false, true] as const).map((isKilled): Scenario => ({
    name: isKilled ? 'one-disk-full-killed' : 'one-disk-full',
    title: isKilled ? 'disk full for 15 s, the process killed meanwhile' : 'disk full for 15 s',
    where: 'one',
    volumeMb: 400,
    inject: async (portal) => {
      const endMs = Date.now() + fullMs
      while (Date.now() < endMs) {
        await portal.volume?.fill()
        await pause(500)
      }
      if (isKilled) await portal.kill()
    },
    heal: async (portal) => {
      await portal.volume?.free()
      if (isKilled) await portal.start()
    },
  })),
  ...(['+1d', '-1d'] as const).map((offset): Scenario => ({
    name: offset === '+1d' ? 'one-clock-ahead' : 'one-clock-behind',
    title: `clock ${offset === '+1d' ? '1 day ahead' : '1 day behind'} for 15 s`,
    where: 'one',
    needsClock: true,
    inject: async ({ clock, processes }) => {
      await clock?.set('portal', offset)
      await pause(2_500)
      await expectShifted(processes[0]?.health ?? '')
      await pause(12_500)
    },
    heal: async ({ clock }) => {
      await clock?.set('portal', '+0')
      await pause(1_500)
    },
  })),
]

/** Scenarios of the standalone portal. */
export const standaloneScenarios: readonly Scenario[] = [...processRows, ...readModelRows, ...storeRows, ...machineRows]
