import { setTimeout as pause } from 'node:timers/promises'
import { deleteKafkaRecords } from '../testing/distributed-portal.ts'
import { expectShifted } from './clock-and-volume.ts'
import type { Scenario } from './scenario.ts'
import type { SixProcessPortal } from './six-process-portal.ts'

const downMs = 3_000
const behindMs = 5_000
const fullMs = 15_000

const nothing = async () => undefined

const signal = async (portal: SixProcessPortal, names: readonly string[], what: NodeJS.Signals): Promise<void> => {
  for (const name of names) process.kill(await portal.pidOf(name), what)
}

/** Consumers fall behind, lose data that they need, and continue. */
const whileBehind = (
  name: string,
  title: string,
  frozen: readonly string[],
  lose: (portal: SixProcessPortal) => Promise<void>,
): Scenario => ({
  name,
  title,
  where: 'six',
  inject: async (portal) => {
    await signal(portal, frozen, 'SIGSTOP')
    await pause(behindMs)
    await lose(portal)
    await pause(behindMs)
  },
  heal: (portal) => signal(portal, frozen, 'SIGCONT'),
})

const redisRows: readonly Scenario[] = [
  {
    name: 'redis-restarted',
    title: 'Redis restarted with its data',
    where: 'six',
    inject: async ({ engines }) => {
      await engines.engine('redis').kill()
      await pause(downMs)
    },
    heal: ({ engines }) => engines.engine('redis').restart(),
  },
  {
    name: 'redis-emptied',
    title: 'Redis restarted without data',
    where: 'six',
    inject: ({ engines }) => engines.deleteData('redis'),
    heal: nothing,
  },
  {
    name: 'redis-older',
    title: 'Redis restarted with data that are 5 s older',
    where: 'six',
    inject: async ({ engines }) => {
      await engines.copyData('redis')
      await pause(behindMs)
      await engines.restoreData('redis')
    },
    heal: nothing,
  },
  {
    name: 'redis-failover',
    title: 'Redis failover to a replica that lags by 3 s',
    where: 'six',
    inject: ({ engines }) => engines.failOver(3_000),
    heal: nothing,
  },
]

const kafkaRows: readonly Scenario[] = [
  {
    name: 'kafka-lost',
    title: 'Kafka loses its data',
    where: 'six',
    inject: ({ engines }) => engines.deleteData('kafka'),
    heal: nothing,
  },
  whileBehind('kafka-lost-behind', 'Kafka loses its data while delivery is behind', ['delivery'], ({ engines }) =>
    engines.deleteData('kafka'),
  ),
  whileBehind(
    'kafka-retention',
    "Kafka's retention passes delivery and gateway-1",
    ['delivery', 'gateway-1'],
    ({ settings }) => deleteKafkaRecords(settings),
  ),
  {
    name: 'kafka-redis-lost',
    title: 'Kafka and Redis lose their data at once',
    where: 'six',
    inject: async ({ engines }) => void (await Promise.all([engines.deleteData('kafka'), engines.deleteData('redis')])),
    heal: nothing,
  },
]

const storeRows: readonly Scenario[] = [
  {
    name: 'store-restarted',
    title: 'event store restarted',
    where: 'six',
    inject: async ({ engines }) => {
      await engines.engine('eventStore').kill()
      await pause(downMs)
    },
    heal: ({ engines }) => engines.engine('eventStore').restart(),
  },
  {
    name: 'store-emptied',
    title: 'event store emptied, its last data put back 10 s later',
    where: 'six',
    inject: async ({ engines }, trial) => {
      await trial.pauseSends()
      await engines.copyData('eventStore')
      trial.copyTaken()
      await engines.deleteData('eventStore')
      trial.resumeSends()
      await pause(10_000)
    },
    heal: async ({ engines }, trial) => {
      await engines.restoreData('eventStore')
      trial.wentBack()
    },
  },
  {
    name: 'store-older',
    title: 'event store restored from a copy that is 5 s older',
    where: 'six',
    inject: async ({ engines }, trial) => {
      trial.copyTaken()
      await engines.copyData('eventStore')
      await pause(behindMs)
      await engines.restoreData('eventStore')
      trial.wentBack()
    },
    heal: nothing,
  },
]

const diskRows: readonly Scenario[] = [
  {
    name: 'disk-full',
    title: 'the disk of the three engines is full for 15 s',
    where: 'six',
    volumeMb: 400,
    inject: async ({ volume }) => {
      const endMs = Date.now() + fullMs
      // Fills space that an engine frees meanwhile.
      while (Date.now() < endMs) {
        await volume?.fill()
        await pause(500)
      }
    },
    heal: async ({ volume, engines }, trial) => {
      await volume?.free()
      for (const name of ['kafka', 'redis', 'eventStore'] as const) {
        if (engines.engine(name).pid !== undefined) continue
        trial.note(`${engines.engine(name).name} had ended and was started again`)
        await engines.engine(name).restart()
      }
    },
  },
]

const clockRows: readonly Scenario[] = (['notifications', 'delivery', 'gateway-1'] as const).flatMap((name) =>
  (['+1d', '-1d'] as const).map((offset): Scenario => ({
    name: `clock-${name}-${offset === '+1d' ? 'ahead' : 'behind'}`,
    title: `clock of ${name} ${offset === '+1d' ? '1 day ahead' : '1 day behind'} for 15 s`,
    where: 'six',
    needsClock: true,
    inject: async ({ clock, processes }) => {
      await clock?.set(name, offset)
      await pause(2_500)
      await expectShifted(processes.find((known) => known.name === name)?.health ?? '')
      await pause(12_500)
    },
    heal: async ({ clock }) => {
      await clock?.set(name, '+0')
      await pause(1_500)
    },
  })),
)

const crowdRow: Scenario = {
  name: 'sockets',
  title: '2,000 sockets reconnect at once: both gateways killed',
  where: 'six',
  crowdSockets: 2_000,
  sendPauseMs: 3_000,
  inject: ({ killAtOnce }) => killAtOnce(['gateway-1', 'gateway-2']),
  heal: nothing,
}

/** Engines that lose data, restart or reject writes. */
export const engineScenarios: readonly Scenario[] = [
  ...redisRows,
  ...kafkaRows,
  ...storeRows,
  ...diskRows,
  crowdRow,
  ...clockRows,
]
