import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '@portal/platform/settings/config'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryRoot } from '@portal/ops/repository-root'
import { kafkaLoginNames } from './kafka-users.ts'
import { redisUserNames } from './redis-users.ts'
import { kafkaPasswordSetting, redisPasswordSetting } from './settings-file.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

/** A named volume or a path, or a file of the host that has to be there. */
const volumeSchema = z.union([
  z.string(),
  z.object({
    type: z.literal('bind'),
    source: z.string(),
    target: z.string(),
    read_only: z.literal(true),
    bind: z.object({ create_host_path: z.literal(false) }),
  }),
])

const serviceSchema = z.object({
  image: z.string(),
  user: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(volumeSchema).default([]),
  networks: z.array(z.string()).min(1),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }),
  restart: z.enum(['unless-stopped', 'no']),
  security_opt: z.array(z.string()),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) }),
  profiles: z.array(z.string()).optional(),
})

const text = read('docker-compose.yml')
const { services, volumes, networks } = z
  .object({
    services: z.record(z.string(), serviceSchema),
    volumes: z.record(z.string(), z.unknown()),
    networks: z.record(z.string(), z.unknown()),
  })
  .parse(parse(text, { merge: true }))

const engines = ['eventstoredb', 'kafka', 'redis']
const processes = ['auth', 'catalog', 'notifications', 'delivery', 'gateway-1', 'gateway-2']
const running = Object.entries(services).filter(([, { profiles }]) => profiles === undefined)

/** What Compose puts in the place of ${NAME}, ${NAME:-unless set}, ${NAME:+if set} and ${NAME:?complaint}, one in another, too. */
const filledIn = (value: string, settings: Readonly<Record<string, string>>): string =>
  value.replaceAll(
    /\$\{(\w+)(?::([-+?])((?:\$\{[^}]*\}|[^}])*))?\}/g,
    (_all, name: string, kind?: string, rest = '') => {
      const set = settings[name]
      if (kind === '+') return set ? filledIn(rest, settings) : ''
      if (set) return set
      if (kind === '?') throw new Error(`${name} ${rest}`)
      return filledIn(rest, settings)
    },
  )

/** What a process makes of them. */
const settingsOf = (name: string, given: Readonly<Record<string, string>>) => {
  const { environment = {} } = services[name] ?? {}
  return loadConfig(
    Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, filledIn(value, given)])),
  )
}

const redisPasswords = Object.fromEntries(
  redisUserNames.map((user) => [redisPasswordSetting(user), `${user}-`.padEnd(32, 'r')]),
)
const kafkaPasswords = Object.fromEntries(
  kafkaLoginNames.map((user) => [kafkaPasswordSetting(user), `${user}-`.padEnd(32, 'k')]),
)
const secrets = {
  MASTER_KEY: 'ab'.repeat(32),
  METRICS_TOKEN: 'm'.repeat(32),
  ...redisPasswords,
  ...kafkaPasswords,
}
/** Returns the login of a process in Redis and Kafka. */
const userOf = (name: string): string => {
  if (name === 'kafka-rights') return 'admin'
  if (['backup', 'scavenge'].includes(name)) return 'ops'
  return name.startsWith('gateway') ? 'gateway' : name
}

describe('docker-compose.yml', () => {
  it('has the engines, every process, two gateways and one public address', () => {
    expect(running.map(([name]) => name).toSorted()).toEqual([...engines, ...processes, 'balancer'].toSorted())
    expect(running.filter(([, { ports }]) => ports.length > 0).map(([name]) => name)).toEqual(['balancer'])
  })

  it('has fixed versions, health checks, limits, no root, and what each service refers to', () => {
    const faults = Object.entries(services).flatMap(([name, service]) => {
      const sources = service.volumes.flatMap((volume) =>
        typeof volume === 'string' ? (volume.split(':')[0] ?? '') : [],
      )
      const isThere = (source: string) =>
        source.startsWith('./') ? existsSync(join(repositoryRoot, source)) : source in volumes
      const rules = {
        version: /^([\w.-]+\/)*[\w.-]+:(\d+\.\d+\.\d+[\w.-]*|local)$/.test(service.image),
        user: Number(service.user.split(':')[0]) > 0,
        'health check': service.healthcheck.test !== undefined || service.healthcheck.disable,
        privileges: service.security_opt.includes('no-new-privileges:true'),
        'depends on': Object.keys(service.depends_on).every((other) => other in services),
        networks: service.networks.every((network) => network in networks),
        volumes: sources.every(isThere),
        restart: service.profiles !== undefined || service.restart === 'unless-stopped',
      }
      return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [`${name}: ${rule}`]))
    })
    expect(faults).toEqual([])
  })

  it('schedules scavenges only with its profile', () => {
    const { profiles, command, environment, restart } = services['scavenge'] ?? {}
    expect([profiles, restart]).toEqual([['scavenge'], 'unless-stopped'])
    const [script] = /services\/\S+\.ts/.exec(command?.at(-1) ?? '') ?? []
    expect(existsSync(join(repositoryRoot, script ?? ''))).toBe(true)
    expect(filledIn(environment?.['SCAVENGE_EVERY'] ?? '', {})).toBe('7d')
  })

  it('schedules checked backups only with its profile', () => {
    const { profiles, command, environment, restart, volumes: mounted = [] } = services['backup'] ?? {}
    expect([profiles, restart]).toEqual([['backup'], 'unless-stopped'])
    const scripts = (command?.at(-1) ?? '').match(/services\/\S+\.ts/g) ?? []
    expect(scripts.map((script) => existsSync(join(repositoryRoot, script)))).toEqual([true, true])
    expect(filledIn(environment?.['BACKUP_EVERY'] ?? '', {})).toBe('24h')
    expect(filledIn(environment?.['KEEP'] ?? '', {})).toBe('7')
    expect(mounted).toContain('backups:/backups')
    expect(read('deploy/Dockerfile')).toContain('BACKUP_DIR=/backups')
  })

  it('contains no secret, and requires those that it needs', () => {
    const settings = Object.values(services).flatMap(({ environment }) => Object.entries(environment))
    const secret = settings.filter(([name]) => /KEY|PASSWORD|TOKEN|SECRET/.test(name))
    expect(secret.length).toBeGreaterThan(processes.length)
    for (const [, value] of secret) expect(value).toMatch(/^\$\{\w+:(\?[^}]+|-)\}$/)
    const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, '$']))
    for (const [, value] of settings) expect(filledIn(value, hidden)).not.toMatch(/:\/\/[^/@]*:[^$/@]+@/)
    for (const { command = [] } of Object.values(services))
      expect(command.join(' ')).not.toMatch(/PASSWORD|requirepass/)
    expect(() => filledIn(services['auth']?.environment['MASTER_KEY'] ?? '', {})).toThrow(
      'MASTER_KEY is made by make up',
    )
  })

  it('gives the master key only to processes that handle personal data, and mail only to senders', () => {
    const having = (setting: string) =>
      running.filter(([, { environment }]) => setting in environment).map(([name]) => name)
    expect(having('MASTER_KEY')).toEqual(['auth', 'catalog', 'notifications', 'delivery'])
    const opens = Object.keys(services).filter((name) => 'MASTER_KEY' in (services[name]?.environment ?? {}))
    expect(opens).toEqual(['auth', 'catalog', 'notifications', 'delivery', 'ops'])
    expect(having('SMTP_URL')).toEqual(['auth', 'delivery'])
  })

  it('gives each process its own login, and the log only to its readers', () => {
    const passwords = [...Object.values(redisPasswords), ...Object.values(kafkaPasswords)]
    for (const [name, { environment }] of Object.entries(services)) {
      const values = Object.values(environment)
        .map((value) => filledIn(value, { ...secrets, ADMIN_EMAIL: '' }))
        .join('\n')
      const own = userOf(name).toUpperCase()
      const known = passwords.filter((password) => values.includes(password))
      const isPortal = services[name]?.image.startsWith('portal:')
      const logins = [redisPasswords[`REDIS_${own}_PASSWORD`], kafkaPasswords[`KAFKA_${own}_PASSWORD`]]
      expect([name, known]).toEqual([name, isPortal ? logins.filter(Boolean) : []])
    }
    const onStore = Object.keys(services).filter((name) => services[name]?.networks.includes('store'))
    const log = ['eventstoredb', 'auth', 'catalog', 'notifications', 'delivery', 'scavenge', 'backup', 'ops']
    expect(onStore).toEqual(log)
    expect(services['eventstoredb']?.networks).toEqual(['store'])
    const withUrl = Object.keys(services).filter((name) => 'EVENT_STORE_URL' in (services[name]?.environment ?? {}))
    expect(withUrl).toEqual(log.slice(1))
    expect(networks).toMatchObject({ store: { internal: true }, engines: { internal: true } })
  })

  it('reads the users of Redis from the file that make up writes', () => {
    const { command, volumes: mounted = [] } = services['redis'] ?? {}
    const [file] = mounted.flatMap((volume) => (typeof volume === 'string' ? [] : [volume]))
    expect(file).toMatchObject({ source: './.secrets/redis-users.acl', target: '/etc/redis-users.acl' })
    expect(command).toEqual(expect.arrayContaining(['--aclfile', '/etc/redis-users.acl']))
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['/.env', '/.secrets/']))
    expect(read('.dockerignore').split('\n')).toContain('.*')
  })

  it('takes no client of Kafka without a login, and its users from the file that make up writes', () => {
    const { environment = {}, volumes: mounted = [], healthcheck } = services['kafka'] ?? {}
    const [file] = mounted.flatMap((volume) => (typeof volume === 'string' ? [] : [volume]))
    expect(file).toMatchObject({ source: './.secrets/kafka-users.jaas', target: '/etc/kafka-users.jaas' })
    expect(environment['KAFKA_OPTS']).toBe('-Djava.security.auth.login.config=/etc/kafka-users.jaas')
    const listeners = (environment['KAFKA_LISTENERS'] ?? '').split(',').map((listener) => listener.split('://'))
    const open = listeners.filter(([, address = '']) => !address.startsWith('localhost:')).map(([name]) => name)
    expect(open).toEqual(['CLIENTS'])
    expect(environment['KAFKA_LISTENER_SECURITY_PROTOCOL_MAP']).toContain('CLIENTS:SASL_PLAINTEXT')
    expect(healthcheck?.test?.at(-1)).toBe(listeners.find(([name]) => name === 'LOCAL')?.[1])
    expect(services['kafka-rights']?.command).toEqual(['node', 'services/ops/src/grant-kafka.ts'])
    expect(services['kafka-rights']?.profiles).toEqual(['kafka-rights'])
    expect(read('deploy/compose/up.ts')).toMatch(/'--wait', 'kafka'.*\n.*'kafka-rights'.*\n.*'--wait'\)/)
  })

  it('links in mails to the port of the balancer unless PUBLIC_URL is set', () => {
    const originFor = (given: Readonly<Record<string, string>>) =>
      settingsOf('auth', { ...secrets, ...given }).http.publicOrigin
    expect(originFor({})).toBe('http://localhost:3000')
    expect(originFor({ PORT: '8080' })).toBe('http://localhost:8080')
    expect(originFor({ PORT: '8080', PUBLIC_URL: 'https://portal.example' })).toBe('https://portal.example')
  })

  it('gives what push needs to those who push and those whom browsers ask, only where it is set', () => {
    const client = { apiKey: 'key', projectId: 'portal', messagingSenderId: '1', appId: '1:1', vapidKey: 'B' }
    const push = { FCM_SERVICE_ACCOUNT_FILE: './account.json', FCM_WEB_CONFIG: JSON.stringify(client) }
    const having = (given: Readonly<Record<string, string>>) => {
      const configs = processes.map((name) => ({ name, config: settingsOf(name, { ...secrets, ...given }) }))
      return {
        pushing: configs.flatMap(({ name, config }) => (config.outbound.fcmServiceAccountFile ? [name] : [])),
        asked: configs.flatMap(({ name, config }) => (config.pushClient ? [name] : [])),
      }
    }
    expect(having({})).toEqual({ pushing: [], asked: [] })
    expect(having(push)).toEqual({ pushing: ['delivery'], asked: ['notifications', 'gateway-1', 'gateway-2'] })
    expect(settingsOf('gateway-2', { ...secrets, ...push }).pushClient).toEqual(client)

    const mounts = services['delivery']?.volumes.flatMap((volume) => (typeof volume === 'string' ? [] : [volume]))
    const { fcmServiceAccountFile } = settingsOf('delivery', { ...secrets, ...push }).outbound
    expect(mounts).toMatchObject([{ target: fcmServiceAccountFile }])
    expect(filledIn(mounts?.[0]?.source ?? '', push)).toBe('./account.json')
    expect(filledIn(mounts?.[0]?.source ?? '', {})).toBe('/dev/null')
  })

  it('starts processes and commands from existing files, with valid settings', () => {
    expect(existsSync(join(repositoryRoot, services['ops']?.command?.[0] ?? ''))).toBe(true)
    const started = processes.map((name) => {
      const { processName, environment, busUrl, readModelUrl, services: addresses, ...of } = settingsOf(name, secrets)
      const isThere = existsSync(join(repositoryRoot, services[name]?.command?.[1] ?? ''))
      const readsLog = of.eventStoreUrl.startsWith('esdb://eventstoredb:2113')
      return { isThere, readsLog, host: of.http.host, processName, environment, busUrl, readModelUrl, addresses }
    })
    expect(started).toEqual(
      processes.map((name) => {
        const user = userOf(name)
        const password = redisPasswords[`REDIS_${user.toUpperCase()}_PASSWORD`]
        return {
          isThere: true,
          readsLog: user !== 'gateway',
          host: '0.0.0.0',
          processName: name,
          environment: 'production',
          busUrl: `kafka://${user}:${kafkaPasswords[`KAFKA_${user.toUpperCase()}_PASSWORD`]}@kafka:9092?sasl=plain&partitions=4&replication=1`,
          readModelUrl: `redis://${user}:${password}@redis:6379`,
          addresses: {
            auth: 'http://auth:3000',
            catalog: 'http://catalog:3000',
            notifications: 'http://notifications:3000',
          },
        }
      }),
    )
  })
})

describe('the balancer', () => {
  const config = read('deploy/balancer/haproxy.cfg')

  it('distributes over the existing gateways with health checks', () => {
    const servers = [...config.matchAll(/^ {2}server (\S+) (\S+):3000 cookie (\S+)$/gm)].map(([, ...words]) => words)
    expect(servers).toEqual([
      ['gateway-1', 'gateway-1', 'gateway-1'],
      ['gateway-2', 'gateway-2', 'gateway-2'],
    ])
    expect(config).toMatch(/^ {2}option httpchk GET \/health\/ready$/m)
  })

  it('takes out a frozen gateway within 3 s', () => {
    const [, timeoutMs] = /^ {2}timeout check (\d+)ms$/m.exec(config) ?? []
    const [, everyMs, fastMs, failures] =
      /^ {2}default-server check inter (\d+)ms fastinter (\d+)ms fall (\d+) /m.exec(config) ?? []
    const checks = Number(failures)
    expect(Number(everyMs) + checks * Number(timeoutMs) + (checks - 1) * Number(fastMs)).toBeLessThanOrEqual(3_000)
  })

  it('sets forwarding headers and ignores those of clients', () => {
    const lines = config.split('\n').map((line) => line.trim())
    const forgotten = lines.indexOf('http-request del-header X-Forwarded-For')
    expect(forgotten).toBeGreaterThan(-1)
    expect(lines.indexOf('option forwardfor')).toBeGreaterThan(forgotten)
    const scheme = lines.indexOf('http-request del-header X-Forwarded-Proto')
    expect(scheme).toBeGreaterThan(-1)
    expect(lines.indexOf('http-request set-header X-Forwarded-Proto https if { ssl_fc }')).toBeGreaterThan(scheme)
  })

  it('accepts only TLS 1.2 and 1.3 with forward secrecy if it has a certificate', () => {
    expect(config).toMatch(/^ {2}ssl-default-bind-options ssl-min-ver TLSv1\.2 /m)
    const [, ciphers = ''] = /^ {2}ssl-default-bind-ciphers (\S+)$/m.exec(config) ?? []
    expect(ciphers.split(':').filter((cipher) => !/^ECDHE-.*(GCM|POLY1305)/.test(cipher))).toEqual([])
  })

  it('counts new sockets and auth requests per address before proxying', () => {
    for (const table of ['socket_attempts', 'auth_attempts']) {
      expect(config).toMatch(new RegExp(`^backend ${table}\\n  stick-table type ipv6 .*http_req_rate\\(10s\\)$`, 'm'))
      expect(config).toMatch(new RegExp(`track-sc\\d src,ipmask\\(32,64\\) table ${table} if`))
      const refusal = config.split('\n').find((line) => line.includes(`,${table}) gt`)) ?? ''
      const [, body = ''] = /string '([^']+)'/.exec(refusal) ?? []
      expect(JSON.parse(body)).toMatchObject({ code: 'too-many-requests', retryAfterSeconds: 10 })
    }
  })
})

describe('the image', () => {
  const dockerfile = read('deploy/Dockerfile')
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base ?? '')

  it('has the tested Node version and does not run as root', () => {
    const { dependencies } = z
      .object({ dependencies: z.object({ node: z.string() }) })
      .parse(JSON.parse(read('package.json')))
    const images = bases.filter((base) => base.includes(':'))
    expect(images).toEqual(images.map(() => `node:${dependencies.node}-bookworm-slim`))
    expect(dockerfile.slice(dockerfile.lastIndexOf('FROM '))).toMatch(/^USER 1000:1000$/m)
    expect(dockerfile).toContain('HEALTHCHECK')
  })

  it('contains the package.json of every workspace', () => {
    const { packages } = z
      .object({ packages: z.record(z.string(), z.object({ link: z.boolean().optional() })) })
      .parse(JSON.parse(read('package-lock.json')))
    const workspaces = Object.keys(packages).filter((path) => path !== '' && !path.includes('node_modules'))
    for (const path of workspaces) expect(dockerfile).toContain(`COPY ${path}/package.json ${path}/`)
  })
})
