import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { runCommand } from '@portal/ops/command'
import { enginesFolder, isRunning, type KnownEngine, readAddresses } from '@portal/ops/dev-engines/addresses'
import { waitForExit } from '@portal/ops/dev-engines/processes'
import { engineKinds } from '@portal/engines/engine-kinds'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { docker } from '@portal/engines/docker-cli'
import { EngineError } from '@portal/engines/engine'
import { volumeOf } from '@portal/engines/engines'

/** `make engines-down`: stops the engines and waits until they have ended. Keeps data and addresses, unless CLEAN=1. */
const stopTimeoutMs = 20_000
const killTimeoutMs = 5_000

const stopServer = async ({ name, pid, startedAt }: KnownEngine): Promise<void> => {
  if (pid === undefined) return
  process.kill(pid, 'SIGTERM')
  if (await waitForExit(pid, startedAt, stopTimeoutMs)) return
  process.kill(pid, 'SIGKILL')
  if (!(await waitForExit(pid, startedAt, killTimeoutMs)))
    throw new EngineError(`${name} (process ${pid}) does not stop`)
}

const stop = async (engine: KnownEngine): Promise<void> => {
  if (engine.container === undefined) {
    if (await isRunning(engine)) await stopServer(engine)
    return
  }
  // The data is in a volume, so the container can be removed.
  await docker('stop', engine.container).catch(() => '')
  await docker('rm', '-f', engine.container).catch(() => '')
  if (await isRunning(engine)) throw new EngineError(`${engine.name} (container ${engine.container}) does not stop`)
}

await runCommand(async () => {
  const folder = enginesFolder(process.env)
  const isClean = (process.env['CLEAN'] ?? '0') !== '0'
  if (!existsSync(folder)) {
    process.stdout.write(`No engines are running in ${folder}\n`)
    return
  }
  const lock = openDataFolder(folder)
  try {
    const known = await readAddresses(folder)
    const engines = engineKinds.flatMap((kind) => known[kind] ?? [])
    const running = await Promise.all(engines.map(isRunning))
    await Promise.all(engines.map(stop))
    const stopped = running.includes(true)
      ? `Stopped ${engines
          .filter((_, at) => running[at])
          .map(({ name }) => name)
          .join(', ')}`
      : 'No engine was running'
    if (isClean) {
      const volumes = engines.some(({ container }) => container !== undefined)
      if (volumes) await docker('volume', 'rm', '-f', ...engineKinds.map((kind) => volumeOf(folder, kind)))
      await rm(folder, { recursive: true, force: true })
    }
    process.stdout.write(`${stopped}; the data in ${folder} is ${isClean ? 'deleted' : 'kept'}\n`)
  } finally {
    lock.release()
  }
})
