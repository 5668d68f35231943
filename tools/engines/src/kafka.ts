import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { type Engine, EngineError, type EngineOptions, requireCommand } from './engine.ts'
import { freePort } from './free-port.ts'
import { kafkaJars } from './kafka/jars.ts'
import { startServer } from './server-process.ts'

const pingTimeoutMs = 2_000

const heap = ['-Xmx512m']
/** Halves the CPU time of a start, for brokers that run only during a test. They stay slower than optimized ones. */
const fastStartup = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/** One node that is broker and controller. Does not create topics automatically, because the portal creates them with its settings. */
const propertiesOf = (
  data: string,
  port: number,
  controllerPort: number,
  { advertisedPort = port, properties }: Pick<KafkaOptions, 'advertisedPort' | 'properties'>,
): string =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertisedPort}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '4',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'share.coordinator.state.topic.num.partitions': '1',
    'group.initial.rebalance.delay.ms': '0',
    'auto.create.topics.enable': 'false',
    // A killed broker can return only after its old session has expired, by default after 9 s.
    'broker.heartbeat.interval.ms': '500',
    'broker.session.timeout.ms': '3000',
    ...properties?.({ port, controllerPort }),
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

export const pingKafka = async (port: number): Promise<void> => {
  const admin = new Kafka({
    clientId: 'engines',
    brokers: [`127.0.0.1:${port}`],
    connectionTimeout: pingTimeoutMs,
    requestTimeout: pingTimeoutMs,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin()
  try {
    await admin.connect()
    const { brokers } = await admin.describeCluster()
    if (brokers.length === 0) throw new Error('no broker has registered yet')
  } finally {
    await admin.disconnect()
  }
}

/** Before the first start, the data folder needs a cluster id. */
const format = async (java: string, classPath: string, propertiesFile: string): Promise<void> => {
  const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A')
  const args = ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', propertiesFile]
  try {
    await promisify(execFile)(java, args)
  } catch (cause) {
    throw new EngineError(`Kafka's storage could not be formatted: ${String(cause).split('\n').at(-1)}`, { cause })
  }
}

type KafkaOptions = EngineOptions & {
  /** Where clients find it, if there is a proxy in front of it. */
  readonly advertisedPort?: number
  /** More properties of the broker, or others in their place. Without a login, it answers at `port`. */
  readonly properties?: (ports: {
    readonly port: number
    readonly controllerPort: number
  }) => Readonly<Record<string, string>>
  readonly jvmOptions?: readonly string[]
}

/** Starts a single Kafka node with Java. */
export const startKafka = async ({
  folder,
  port,
  lifetime,
  jvmOptions = [],
  ...options
}: KafkaOptions): Promise<Engine> => {
  const home = resolve(folder)
  const java = requireCommand('java')
  const classPath = join(await kafkaJars(), '*')
  const chosen = port ?? (await freePort())
  const data = join(home, 'data')
  const propertiesFile = join(home, 'server.properties')
  await mkdir(home, { recursive: true })
  await writeFile(propertiesFile, propertiesOf(data, chosen, await freePort(), options))
  if (!existsSync(join(data, 'meta.properties'))) await format(java, classPath, propertiesFile)
  const logging = join(import.meta.dirname, 'kafka/log4j2.yaml')
  return startServer({
    name: 'Kafka',
    url: `kafka://127.0.0.1:${chosen}`,
    folder: home,
    command: java,
    args: [
      ...heap,
      ...jvmOptions,
      ...(lifetime === 'detached' ? [] : fastStartup),
      `-Dlog4j2.configurationFile=${logging}`,
      '-cp',
      classPath,
      'kafka.Kafka',
      propertiesFile,
    ],
    ping: () => pingKafka(chosen),
    startTimeoutMs: 60_000,
    lifetime,
  })
}
