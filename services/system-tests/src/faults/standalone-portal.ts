import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@portal/engines/free-port'
import { eventually, repositoryRoot, seedLearners, spawnProgram } from '../testing/portal-process.ts'
import { makeVolume, prepareClock } from './clock-and-volume.ts'
import type { PortalOptions, PortalUnderTest } from './portal-under-test.ts'

export type StandalonePortal = PortalUnderTest & {
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>
  /** Starts at the same address. Resolves when the process listens or has exited; see `refusal`. */
  start(): Promise<void>
}

const program = join(repositoryRoot, 'services/standalone/src/main.ts')
const startTimeoutMs = 60_000

/** The whole portal in one process, with its data in one folder. */
export const startStandalonePortal = async (options: PortalOptions): Promise<StandalonePortal> => {
  const folder = await mkdtemp(join(tmpdir(), 'fault-one-'))
  const clock = options.needsClock ? await prepareClock(folder, ['portal']) : undefined
  const volume = options.volumeMb === undefined ? undefined : await makeVolume(folder, options.volumeMb)
  const dataDir = join(volume?.path ?? folder, 'data')
  // The outbox stands in for the push provider, so it is not on the small disk.
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await symlink(join(folder, 'outbox.jsonl'), join(dataDir, 'outbox.jsonl'))
  const password = await seedLearners(dataDir, options.learners)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    SEEN_GRACE_MS: '2000',
    ...clock?.settings,
  }
  let running = spawnProgram(program, settings)
  let earlierOutput = ''

  const isListening = () =>
    fetch(`${address}/health`, { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    )
  const waitUntilListening = () =>
    eventually(
      'the portal listens',
      async () => running.hasEnded() || (await isListening()) || undefined,
      startTimeoutMs,
    ).catch(() => undefined) // health then reports that the portal does not listen
  const start = async () => {
    earlierOutput += running.output()
    running = spawnProgram(program, settings)
    await waitUntilListening()
  }
  const output = () => earlierOutput + running.output()
  await waitUntilListening()
  return {
    address,
    dataDir,
    folder,
    settings: { PORT: String(port) },
    password,
    processes: [{ name: 'portal', health: `${address}/health` }],
    volume,
    clock,
    pidOf: async () => running.child.pid ?? 0,
    kill: async () => void (await running.end('SIGKILL')),
    start,
    refusal: () =>
      running.child.exitCode === null ? undefined : `it does not start: ${output().trimEnd().split('\n').at(-1) ?? ''}`,
    startAgain: async () => {
      if (running.hasEnded()) await start()
    },
    output,
    stop: async () => {
      await running.end('SIGTERM')
      await volume?.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
