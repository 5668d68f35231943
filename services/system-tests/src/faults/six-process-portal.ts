import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProcessName, processNames, startDistributedPortal } from '../testing/distributed-portal.ts'
import { seedLearners } from '../testing/portal-process.ts'
import { makeVolume, prepareClock } from './clock-and-volume.ts'
import { type IsolatedEngines, startIsolatedEngines } from './isolated-engines.ts'
import type { PortalOptions, PortalUnderTest } from './portal-under-test.ts'

export type SixProcessPortal = PortalUnderTest & {
  readonly engines: IsolatedEngines
  /** Kills all of them at once with SIGKILL; resolves when the supervisor has restarted each. */
  killAtOnce(names: readonly ProcessName[]): Promise<void>
}

/** The port that the supervisor assigned; it stays the same after a restart. */
const portOf = async (pid: number): Promise<string> => {
  const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0')
  const port = environment.find((entry) => entry.startsWith('PORT='))?.slice('PORT='.length)
  if (port === undefined) throw new Error(`the port of process ${pid} is unknown`)
  return port
}

/** Six processes behind one address, with their own engines. */
export const startSixProcessPortal = async (options: PortalOptions): Promise<SixProcessPortal> => {
  const folder = await mkdtemp(join(tmpdir(), 'fault-six-'))
  const clock = options.needsClock ? await prepareClock(folder, processNames) : undefined
  const volume = options.volumeMb === undefined ? undefined : await makeVolume(folder, options.volumeMb)
  const enginesFolder = join(volume?.path ?? folder, 'engines')
  await mkdir(enginesFolder, { recursive: true })
  const engines = await startIsolatedEngines(enginesFolder)
  let password = ''
  const cleanUp = async () => {
    await engines.stop()
    await volume?.remove()
    await rm(folder, { recursive: true, force: true })
  }
  const { kafka: kafkaUrl, redis: redisUrl, eventStore: eventStoreUrl } = engines.urls
  const portal = await startDistributedPortal(
    { kafkaUrl, redisUrl, eventStoreUrl },
    {
      settings: { ...clock?.settings, SEEN_GRACE_MS: '2000' },
      prepare: async (settings) => {
        password = await seedLearners(settings['DATA_DIR'] ?? '', options.learners, settings)
      },
    },
  ).catch(async (error: unknown) => {
    await cleanUp()
    throw error
  })
  const processes = await Promise.all(
    processNames.map(async (name) => ({
      name,
      health: `http://127.0.0.1:${await portOf(await portal.pidOf(name))}/health`,
    })),
  )
  return {
    address: portal.address,
    dataDir: portal.dataDir,
    folder,
    settings: portal.settings,
    password,
    processes,
    volume,
    clock,
    engines,
    pidOf: (name) => portal.pidOf(processNames.find((known) => known === name) ?? 'auth'),
    killAtOnce: async (names) => {
      const pids = await Promise.all(names.map((name) => portal.pidOf(name)))
      await Promise.all(names.map((name) => portal.kill(name)))
      await Promise.all(names.map((name, at) => portal.waitForRestart(name, pids[at] ?? 0)))
    },
    refusal: () => undefined,
    startAgain: async () => undefined,
    output: portal.output,
    stop: async () => {
      await portal.stop()
      await cleanUp()
    },
  }
}
