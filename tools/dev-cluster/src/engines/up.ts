import { runCommand } from '@portal/ops/command'
import {
  enginesFolder,
  isRunning,
  type KnownEngine,
  portOf,
  readAddresses,
  settingOf,
  writeAddresses,
} from '@portal/ops/dev-engines/addresses'
import { startedAt } from '@portal/ops/dev-engines/processes'
import { type EngineKind, engineKinds } from '@portal/engines/engine-kinds'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { docker } from '@portal/engines/docker-cli'
import type { Engine } from '@portal/engines/engine'
import { startEngines } from '@portal/engines/engines'

/**
 * `make engines-up`: starts the engines that are not running, in the background, and prints their addresses. For
 * `make run-distributed`. An engine gets its previous port again, so that a running portal finds it.
 */
const asKnown = (engine: Engine & { readonly container?: string }): KnownEngine => ({
  name: engine.name,
  url: engine.url,
  ...(engine.pid === undefined ? {} : { pid: engine.pid, startedAt: startedAt(engine.pid) }),
  ...(engine.container === undefined ? {} : { container: engine.container }),
})

/** Removes a stopped container, which still uses the volume and the name. */
const removeContainer = async ({ container }: KnownEngine): Promise<void> => {
  if (container !== undefined) await docker('rm', '-f', container).catch(() => '')
}

const lineOf = (kind: EngineKind, { name, url }: KnownEngine): string =>
  `  ${settingOf[kind].padEnd(15)} ${url}  (${name})\n`

await runCommand(async () => {
  const folder = enginesFolder(process.env)
  const lock = openDataFolder(folder)
  try {
    const known = { ...(await readAddresses(folder)) }
    const down: EngineKind[] = []
    for (const kind of engineKinds) {
      const engine = known[kind]
      if (!engine || !(await isRunning(engine))) down.push(kind)
    }
    if (down.length > 0) {
      process.stderr.write('Starting the engines …\n')
      const before = down.flatMap((kind) => known[kind] ?? [])
      await Promise.all(before.map(removeContainer))
      const ports = Object.fromEntries(down.map((kind) => [kind, known[kind] && portOf(known[kind])]))
      const started = await startEngines({ folder, kinds: down, lifetime: 'detached', ports })
      for (const kind of down) known[kind] = asKnown(started[kind])
      await writeAddresses(folder, known)
    }
    process.stdout.write(down.length > 0 ? `Up, with data and logs in ${folder}:\n` : `Already up, in ${folder}:\n`)
    for (const kind of engineKinds) {
      const engine = known[kind]
      if (engine) process.stdout.write(lineOf(kind, engine))
    }
    if (known.eventStore?.pid !== undefined) {
      process.stdout.write(
        'Without Docker, a stand-in replaces EventStoreDB. It speaks its protocol and is only for tests and development.\n',
      )
    }
  } finally {
    lock.release()
  }
})
