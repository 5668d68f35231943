import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { portalCategories } from '@portal/platform/operations/inspect-event-store'
import { loadConfig } from '@portal/platform/settings/config'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { sampleBackup } from '@portal/platform/testing/backup/sample-backup'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AdminsReport, findingsOfAdmins } from './admins.ts'
import { checkDataFolder, lockHolderIn } from './data-folder.ts'
import { publishersOf } from '../settings/consumers.ts'
import { checkEngines, findingOfErasedKeys, findingsOfEventStore, findingsOfKafka, findingsOfRedis } from './engines.ts'
import { fileLimitOf } from './installation.ts'
import { checkProcesses } from './processes.ts'
import { checkSettings } from './settings.ts'

const redis = {
  version: '7.0.15',
  isPersistent: true,
  replicas: 0,
  needsReplica: false,
  memoryLimitBytes: 0,
  usedMemoryBytes: 1,
  evictionPolicy: 'noeviction',
  clockAheadMs: 3,
}

describe('Redis', () => {
  it('is reported unless it has the recommended settings', () => {
    expect(findingsOfRedis(redis)).toEqual([])
    expect(findingsOfRedis({ ...redis, replicas: 1, needsReplica: true })).toEqual([])
    const cases = [
      [{ version: '6.2.1' }, 'fail', /version 6/],
      [{ isPersistent: false }, 'warn', /loses its data/],
      [{ replicas: 1 }, 'warn', /before a replica has them/],
      [{ evictionPolicy: 'allkeys-lru' }, 'warn', /evicts/],
      [{ evictionPolicy: 'allkeys-lru', memoryLimitBytes: 1_000 }, 'fail', /evicts/],
      [{ clockAheadMs: -2_500 }, 'warn', /2500 ms behind/],
    ] as const
    expect(cases.map(([change]) => findingsOfRedis({ ...redis, ...change })[0])).toMatchObject(
      cases.map(([, result, says]) => ({ result, says: expect.stringMatching(says), todo: expect.any(String) })),
    )
  })
})

describe('erased keys', () => {
  it('are ok if none is on disk', () => {
    expect(findingOfErasedKeys({ keys: 0, isAtLeast: false }, false)).toMatchObject({ result: 'ok' })
    expect(findingOfErasedKeys({ keys: 0, isAtLeast: true }, false)).toMatchObject({ result: 'info' })
  })

  it('on disk are counted, with the command that removes them', () => {
    const scavengedAt = '2026-11-20T03:30:00.000Z'
    expect(findingOfErasedKeys({ keys: 3, isAtLeast: true, scavengedAt }, false)).toMatchObject({
      result: 'warn',
      says: `at least 3 erased keys still on disk; the last scavenge was ${scavengedAt}`,
      todo: expect.stringContaining('make scavenge ADMIN_URL='),
    })
    expect(findingOfErasedKeys({ keys: 1, isAtLeast: false }, true)).toMatchObject({ todo: 'make scavenge' })
  })
})

describe('EventStoreDB', () => {
  const rights = [
    { of: '$all', action: 'read', isGranted: true },
    { of: 'user', action: 'append', isGranted: true },
    { of: 'userkey!', action: 'delete', isGranted: true },
  ] as const
  const report = { user: 'portal', rights, clockAheadMs: 400 }
  const without = (of: string) => rights.map((right) => ({ ...right, isGranted: right.of !== of }))

  it('reports each missing right of its user, and how to grant it', () => {
    expect(findingsOfEventStore(report).map(({ result }) => result)).toEqual(['ok'])
    const cases = [
      ['$all', 'may not read $all', 'make grant-event-store USER_NAME=portal'],
      ['user', 'may not append streams that begin with user-', '$userStreamAcl'],
      ['userkey!', 'may not delete streams that begin with userkey!', '$userStreamAcl'],
    ] as const
    expect(cases.map(([of]) => findingsOfEventStore({ ...report, rights: without(of) }))).toEqual(
      cases.map(([, says, todo]) => [
        {
          check: 'event store',
          result: 'fail',
          says: expect.stringContaining(says),
          todo: expect.stringContaining(todo),
        },
      ]),
    )
  })

  it('reports the rights to many streams in one line for each action', () => {
    const none = ['user', 'session', 'userkey!'].flatMap((of) =>
      (['read', 'append'] as const).map((action) => ({ of, action, isGranted: false })),
    )
    expect(findingsOfEventStore({ ...report, rights: none }).map(({ says }) => says)).toEqual([
      'the user portal may not read streams that begin with user-, session-, userkey!',
      'the user portal may not append streams that begin with user-, session-, userkey!',
    ])
  })

  it('is checked for every published category', () => {
    const published = new Set(
      Object.values(publishersOf).flatMap((publishers) => publishers.map((one) => one.category)),
    )
    expect(portalCategories).toEqual(expect.arrayContaining([...published]))
  })

  it("is reported if its clock differs from this machine's", () => {
    const [, clock] = findingsOfEventStore({ ...report, clockAheadMs: -9_600 })
    expect(clock).toMatchObject({ check: 'clocks', result: 'warn', says: expect.stringContaining('10 s behind') })
  })
})

describe('Kafka', () => {
  const topic = { topic: 'auth', partitions: 4, replicas: 1, retentionMs: 168 * 3_600_000, cleanupPolicy: 'delete' }
  const report = {
    brokers: 1,
    configured: { partitions: 4, replication: 1, retentionHours: 168 },
    topics: [topic],
    missing: [],
  }

  it('is reported unless it has the settings of BUS_URL', () => {
    const findingsWith = (change: Partial<typeof topic>) =>
      findingsOfKafka({ ...report, topics: [{ ...topic, ...change }] }, false)
    expect(findingsOfKafka(report, true).map(({ result }) => result)).toEqual(['ok', 'warn'])
    for (const right of [{}, { retentionMs: -1 }])
      expect(findingsWith(right).map(({ result }) => result)).toEqual(['ok'])
    const cases = [
      [{ partitions: 2 }, 'warn', /2 partitions, but BUS_URL sets 4/],
      [{ retentionMs: 3_600_000 }, 'warn', /kept for 1 h/],
      [{ cleanupPolicy: 'compact' }, 'fail', /compact/],
    ] as const
    expect(cases.map(([change]) => findingsWith(change).at(-1))).toMatchObject(
      cases.map(([, result, says]) => ({ check: 'auth', result, says: expect.stringMatching(says) })),
    )
  })
})

describe('admins', () => {
  const resultsOf = (report: AdminsReport) => findingsOfAdmins(report).map(({ result }) => result)

  it('are reported if there is only one, or one with a default address', () => {
    const counts = ['several', 1, 0] as const
    expect(counts.map((count) => resultsOf({ admins: count, defaultEmails: [] }))).toEqual([['ok'], ['warn'], ['info']])
    expect(findingsOfAdmins({ admins: 'several', defaultEmails: ['admin@example.com'] })).toMatchObject([
      { result: 'ok' },
      {
        result: 'warn',
        says: expect.stringContaining('admin@example.com'),
        todo: expect.stringContaining('make admin'),
      },
    ])
  })
})

const pushClient = { apiKey: 'k', projectId: 'p', messagingSenderId: '1', appId: 'a', vapidKey: 'v' }

describe('settings', () => {
  const results = async (environment: Record<string, string>, isInContainer = false) => {
    const findings = await checkSettings(loadConfig(environment), isInContainer)
    return Object.fromEntries(findings.map(({ check, result }) => [check, result]))
  }

  it('are optional in development but not in production', async () => {
    expect(await results({})).toMatchObject({ PUBLIC_URL: 'info', SMTP_URL: 'info', SMS_URL: 'info', traces: 'info' })
    expect(await results({ NODE_ENV: 'production' })).toMatchObject({ PUBLIC_URL: 'fail', SMTP_URL: 'warn' })
    const insecure = { NODE_ENV: 'production', PUBLIC_URL: 'http://portal.example' }
    expect(await results(insecure)).toMatchObject({ PUBLIC_URL: 'warn' })
  })

  it('[C5] of providers are tried: what is wrong is said in words', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    // A server on a port is an AddressInfo.
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    const given = { SMTP_URL: `smtp://u:p@127.0.0.1:${port}`, SMS_URL: `http://127.0.0.1:${port}/send` }
    const findings = await checkSettings(loadConfig({ ...given, FCM_SERVICE_ACCOUNT_FILE: '/nowhere.json' }), false)
    expect(findings.filter(({ result }) => result === 'fail')).toEqual([
      expect.objectContaining({ check: 'SMTP_URL', says: expect.stringContaining('ECONNREFUSED') }),
      expect.objectContaining({ check: 'SMS_URL', says: expect.stringContaining('ECONNREFUSED') }),
    ])
    const push = { FCM_WEB_CONFIG: JSON.stringify(pushClient), FCM_SERVICE_ACCOUNT_FILE: '/nowhere.json' }
    const [unusable] = (await checkSettings(loadConfig(push), false)).filter(({ result }) => result === 'fail')
    expect(unusable).toMatchObject({
      check: 'FCM_SERVICE_ACCOUNT_FILE',
      says: expect.stringContaining('cannot be read (ENOENT)'),
    })
  })

  it('for proxies should list addresses', async () => {
    expect(await results({})).toMatchObject({ TRUST_PROXY: 'info' })
    expect(await results({ TRUST_PROXY: '10.0.0.5' })).toMatchObject({ TRUST_PROXY: 'ok' })
    expect(await results({ TRUST_PROXY: 'uniquelocal' }, true)).toMatchObject({ TRUST_PROXY: 'ok' })
    expect(await results({ TRUST_PROXY: 'loopback,uniquelocal' })).toMatchObject({ TRUST_PROXY: 'warn' })
    expect(await results({ TRUST_PROXY: 'true' })).toMatchObject({ TRUST_PROXY: 'warn' })
    expect(await results({ TRUST_PROXY: '2' })).toMatchObject({ TRUST_PROXY: 'warn' })
  })

  it('must name the TLS proxy if PUBLIC_URL is https', async () => {
    const secure = { NODE_ENV: 'production', PUBLIC_URL: 'https://portal.example' }
    expect(await results(secure)).toMatchObject({ TRUST_PROXY: 'fail' })
    expect(await results({ ...secure, TRUST_PROXY: 'loopback' })).toMatchObject({ TRUST_PROXY: 'ok' })
  })

  it('for push say which provider serves, and must be complete and usable', async () => {
    const FCM_SERVICE_ACCOUNT_FILE = '/run/secrets/fcm.json'
    const FCM_WEB_CONFIG = JSON.stringify({
      apiKey: 'k',
      projectId: 'p',
      messagingSenderId: '1',
      appId: 'a',
      vapidKey: 'v',
    })
    for (const environment of [{}, { NODE_ENV: 'production' }])
      expect(await checkSettings(loadConfig(environment), false)).toContainEqual({
        check: 'push',
        result: 'ok',
        says: 'Web Push serves all browsers, and needs no setting',
      })
    expect(await results({ FCM_SERVICE_ACCOUNT_FILE, FCM_WEB_CONFIG })).toMatchObject({
      FCM_SERVICE_ACCOUNT_FILE: 'fail',
    })
    expect(await results({ FCM_SERVICE_ACCOUNT_FILE })).toMatchObject({ FCM_WEB_CONFIG: 'warn' })
    expect(await results({ FCM_WEB_CONFIG })).toMatchObject({ FCM_SERVICE_ACCOUNT_FILE: 'warn' })
  })

  it('are reported if the collector is unreachable', async () => {
    expect(await results({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toMatchObject({ traces: 'warn' })
  })
})

describe('the data folder', () => {
  it('is checked without being created', async () => {
    const dataDir = join(tmpdir(), 'no-such-folder-of-a-portal')
    const found = await checkDataFolder(loadConfig({ DATA_DIR: dataDir }))
    expect(found.map(({ check, result }) => [check, result])).toEqual([
      ['data folder', 'info'],
      ['disk', 'ok'],
      ['master key', 'info'],
    ])
    expect(existsSync(dataDir)).toBe(false)
  })

  it('is reported if the keys of its users are missing', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const log = openSqliteEventStore({ path: join(dataDir, 'events.db') })
    await log.append(`user-${randomUUID()}`, 'no-stream', [{ id: randomUUID(), type: 'UserRegistered', data: {} }])
    await log.close()
    const found = await checkDataFolder(loadConfig({ DATA_DIR: dataDir }))
    expect(found.find(({ check }) => check === 'user keys')).toMatchObject({
      result: 'fail',
      says: expect.stringContaining('user-keys.db is missing'),
    })
  })

  it('is reported if a restore was interrupted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const mark = { command: 'restore', id: randomUUID(), source: 'a', runAgain: 'make restore FROM=a', step: 'copying' }
    writeFileSync(join(dataDir, 'restoring.json'), JSON.stringify(mark))
    const found = await checkDataFolder(loadConfig({ DATA_DIR: dataDir }))
    expect(found.find(({ check }) => check === 'restore')).toMatchObject({
      result: 'fail',
      says: expect.stringContaining('Run it again: make restore FROM=a'),
    })
  })

  const takeFolder = (): string => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'))
    const taken = openDataFolder(dataDir)
    onTestFinished(() => {
      taken.release()
      rmSync(dataDir, { recursive: true })
    })
    return dataDir
  }

  it('is in use while a process holds it', async () => {
    const [folder] = await checkDataFolder(loadConfig({ DATA_DIR: takeFolder() }))
    expect(folder?.says).toContain('in use by')
    expect(folder?.says).not.toContain('nobody')
  })

  it.runIf(existsSync('/proc/locks'))('names the process that holds it', () => {
    const { ino } = statSync(join(takeFolder(), 'lock.db'))
    expect(lockHolderIn(readFileSync('/proc/locks', 'utf8'), ino)).toBe(process.pid)
  })
})

describe('a data folder that is lost', () => {
  const findingsOf = async (dataDir: string, backupDir: string) => {
    const config = loadConfig({ DATA_DIR: dataDir, BACKUP_DIR: backupDir })
    const found = await Promise.all([checkDataFolder(config), checkEngines(config), checkProcesses(config)])
    return found.flat()
  }

  it('fails if there are backups of it, and is no new portal', async () => {
    const backup = await sampleBackup(1)
    const empty = mkdtempSync(join(tmpdir(), 'doctor-'))
    onTestFinished(async () => {
      await backup.remove()
      rmSync(empty, { recursive: true })
    })
    for (const dataDir of [empty, join(empty, 'gone')]) {
      const found = await findingsOf(dataDir, backup.folder)
      expect(found.filter(({ result }) => result === 'fail')).toEqual([
        {
          check: 'event store',
          result: 'fail',
          says: `There is no event store at ${dataDir}/events.db, but BACKUP_DIR has backups of one (newest: ${backup.file})`,
          todo: `Mount its disk again, or run make restore FROM=${backup.file}. For a new portal, set BACKUP_DIR to an empty folder`,
        },
      ])
      expect(found).not.toContainEqual(
        expect.objectContaining({ says: expect.stringMatching(/yet|not in use|none is running/) }),
      )
    }
    expect((await findingsOf(empty, empty)).map(({ says }) => says)).toEqual(
      expect.arrayContaining(['there are no user keys yet', `none is running on ${empty}`]),
    )
  })
})

it('reads the limit of open files', () => {
  const line = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}      524288  files\n`
  expect(fileLimitOf(line('1024'))).toBe(1_024)
  expect(fileLimitOf(line('unlimited'))).toBe(Number.POSITIVE_INFINITY)
})
