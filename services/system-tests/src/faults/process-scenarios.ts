import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessName } from '../testing/distributed-portal.ts'
import type { EngineName } from './isolated-engines.ts'
import type { Scenario } from './scenario.ts'
import type { SixProcessPortal } from './six-process-portal.ts'

const frozenMs = 30_000
const downMs = 3_000

const nothing = async () => undefined

const killTogether = (
  name: string,
  title: string,
  processes: readonly ProcessName[],
  engine?: EngineName,
): Scenario => ({
  name,
  title,
  where: 'six',
  inject: async ({ engines, killAtOnce }) => {
    const back = async (of: EngineName) => {
      await engines.engine(of).kill()
      await pause(downMs)
      await engines.engine(of).restart()
    }
    await Promise.all([killAtOnce(processes), engine && back(engine)])
  },
  heal: nothing,
})

const freeze = (
  name: string,
  title: string,
  pidOf: (portal: SixProcessPortal) => Promise<number | undefined>,
): Scenario => ({
  name,
  title,
  where: 'six',
  inject: async (portal) => {
    const pid = await pidOf(portal)
    if (pid === undefined) throw new Error(`${name}: the process is not running`)
    process.kill(pid, 'SIGSTOP')
    await pause(frozenMs)
  },
  heal: async (portal) => void process.kill((await pidOf(portal)) ?? 0, 'SIGCONT'),
})

const freezeProcess = (process: ProcessName): Scenario =>
  freeze(`stop-${process}`, `SIGSTOP of ${process} for 30 s`, (portal) => portal.pidOf(process))

const freezeEngine = (engine: EngineName, label: string): Scenario =>
  freeze(
    `stop-${engine}`.toLowerCase(),
    `SIGSTOP of ${label} for 30 s`,
    async ({ engines }) => engines.engine(engine).pid,
  )

/** Processes that die or hang, alone and two at once. */
export const processScenarios: readonly Scenario[] = [
  killTogether('kill-notifications-gateway', 'notifications and gateway-1 killed at once', [
    'notifications',
    'gateway-1',
  ]),
  killTogether('kill-gateways', 'both gateways killed at once', ['gateway-1', 'gateway-2']),
  killTogether('kill-auth-delivery', 'auth and delivery killed at once', ['auth', 'delivery']),
  killTogether('kill-delivery-kafka', 'delivery and Kafka killed at once', ['delivery'], 'kafka'),
  killTogether('kill-notifications-redis', 'notifications and Redis killed at once', ['notifications'], 'redis'),
  killTogether(
    'kill-notifications-store',
    'notifications and the event store killed at once',
    ['notifications'],
    'eventStore',
  ),
  ...(['auth', 'catalog', 'notifications', 'delivery', 'gateway-1', 'gateway-2'] as const).map(freezeProcess),
  freezeEngine('redis', 'Redis'),
  freezeEngine('kafka', 'Kafka'),
  freezeEngine('eventStore', 'the event store'),
]
