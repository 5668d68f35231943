import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

const complaint = (environment: Record<string, string>): string => {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'none'
}

describe('settings', () => {
  it('have defaults for one machine without engines', () => {
    expect(loadConfig({})).toEqual({
      environment: 'development',
      logLevel: 'info',
      backupDir: resolve('backups'),
      dataDir: resolve('data'),
      http: { host: '127.0.0.1', port: 3000, publicOrigin: undefined, trustProxy: false },
      docs: true,
      devMailbox: false,
      services: { auth: undefined, catalog: undefined, notifications: undefined },
      processName: undefined,
      eventStoreUrl: `sqlite:${resolve('data')}/events.db`,
      busUrl: 'memory:',
      readModelUrl: `sqlite:${resolve('data')}/read-models`,
      masterKey: undefined,
      firstAdmin: { email: undefined, password: undefined, isPasswordTemporary: false },
      adminMfa: 'optional',
      outbound: {
        smtpUrl: undefined,
        mailFrom: 'Learning Portal <no-reply@localhost>',
        smsUrl: undefined,
        fcmServiceAccountFile: undefined,
        webPush: { subject: 'mailto:admin@example.com', ttlSeconds: 24 * 3_600, privateHosts: new Set() },
      },
      pushClient: undefined,
      metricsToken: undefined,
      traces: { endpoint: undefined, ratio: 1 },
      sessionLifetimeMs: 7 * 24 * 3_600_000,
      sessionIdle: { learnersMs: 24 * 3_600_000, adminsMs: 3_600_000 },
      smsPerHour: 1_000,
      seenGraceMs: 4000,
      sendWaitMs: 1500,
      pushMaxAgeMs: 24 * 3_600_000,
      emailUnseenAfterMs: 24 * 3_600_000,
    })
  })
  it('are read from the environment; an empty one counts as not set', () => {
    const config = loadConfig({
      PORT: '8080',
      DATA_DIR: '/srv/portal',
      PUBLIC_URL: 'https://portal.example/start',
      EVENT_STORE_URL: 'esdb://one:2113',
      BUS_URL: '',
      MASTER_KEY: 'ab'.repeat(32),
      UNRELATED: 'x',
    })
    expect(config.http).toMatchObject({ port: 8080, publicOrigin: 'https://portal.example' })
    expect(config.readModelUrl).toBe('sqlite:/srv/portal/read-models')
    expect(config.eventStoreUrl).toBe('esdb://one:2113')
    expect(config.busUrl).toBe('memory:')
    expect(config.masterKey).toEqual(Buffer.alloc(32, 0xab))
  })
  it('name whom push services can reach, and those of the own network', () => {
    const webPushOf = (environment: Record<string, string>) => loadConfig(environment).outbound.webPush
    const given = {
      PUBLIC_URL: 'https://portal.example/',
      PUSH_MAX_AGE: '2h',
      PUSH_PRIVATE_HOSTS: 'Push.corp, 10.1.2.3',
    }
    expect(webPushOf(given)).toEqual({
      subject: 'https://portal.example',
      ttlSeconds: 7_200,
      privateHosts: new Set(['push.corp', '10.1.2.3']),
    })
    expect(webPushOf({ PUBLIC_URL: 'http://localhost:3000' }).subject).toBe('mailto:admin@example.com')
    expect(() => loadConfig({ PUSH_PRIVATE_HOSTS: 'https://push.corp/' })).toThrow(
      'PUSH_PRIVATE_HOSTS must be host names or addresses, such as push.intranet.example,10.1.2.3, not "https://push.corp/"',
    )
  })
  it('name the other processes and the trusted proxies', () => {
    const config = loadConfig({ CATALOG_URL: 'http://catalog:3000/', TRUST_PROXY: '10.0.0.0/8,loopback' })
    expect(config.services.catalog).toBe('http://catalog:3000')
    expect(config.http.trustProxy).toBe('10.0.0.0/8,loopback')
    expect(loadConfig({ TRUST_PROXY: 'true' }).http.trustProxy).toBe(1)
    expect(loadConfig({ TRUST_PROXY: '2' }).http.trustProxy).toBe(2)
    expect(complaint({ TRUST_PROXY: 'yes' })).toContain('TRUST_PROXY must be true, false, a number of proxies or')
    expect(complaint({ TRUST_PROXY: 'loopback,' })).toContain('TRUST_PROXY must be')
    expect(complaint({ AUTH_URL: 'http://auth/api' })).toContain('AUTH_URL must be an address such as')
    expect(complaint({ PROCESS_NAME: '../x' })).toContain('PROCESS_NAME must be')
    expect(loadConfig({ BUS_URL: 'kafka+ssl://k:9093' }).busUrl).toBe('kafka+ssl://k:9093')
  })
  it('are reported in one line with the expected value if invalid', () => {
    expect(complaint({ PORT: '80a' })).toBe('PORT must be a whole number from 0 to 65535, not "80a"')
    expect(complaint({ PORT: '70000' })).toContain('PORT must be a whole number from 0 to 65535')
    expect(complaint({ SMS_PER_HOUR: '0' })).toBe('SMS_PER_HOUR must be a whole number from 1 to 1000000, not "0"')
    expect(complaint({ SEEN_GRACE_MS: '4s' })).toBe(
      'SEEN_GRACE_MS must be a whole number from 0 to 600000 (milliseconds), not "4s"',
    )
    expect(complaint({ NODE_ENV: 'prod' })).toBe('NODE_ENV must be production, development or test, not "prod"')
    expect(complaint({ OTEL_TRACES_SAMPLER_ARG: '1.1' })).toBe(
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "1.1"',
    )
    expect(complaint({ BUS_URL: 'amqp://x' })).toContain('BUS_URL must be memory: or kafka://<host:port,…>')
    expect(complaint({ PUBLIC_URL: 'portal', ADMIN_EMAIL: 'x' })).toBe(
      'PUBLIC_URL must be an address such as https://portal.example, not "portal"; ' +
        'ADMIN_EMAIL must be an email address, not "x"',
    )
    expect(complaint({ PORT: `1\n${'x'.repeat(200)}` })).not.toContain('\n')
  })
  it('for durations need a unit', () => {
    const maxAge = (value: string) => loadConfig({ PUSH_MAX_AGE: value }).pushMaxAgeMs
    expect(maxAge('90m')).toBe(90 * 60_000)
    expect(maxAge('24h')).toBe(24 * 3_600_000)
    expect(maxAge('2d')).toBe(48 * 3_600_000)
    for (const value of ['24', '0m', '31d', '1.5h', '-1h', '1 h', 'h', '999999d'])
      expect(complaint({ PUSH_MAX_AGE: value })).toBe(
        `PUSH_MAX_AGE must be a duration from 1m to 30d, such as 90m, 24h or 2d, not ${JSON.stringify(value)}`,
      )
  })
  it('for push in browsers are JSON; unknown fields are removed', () => {
    const config = { apiKey: 'k', projectId: 'p', messagingSenderId: '1', appId: 'a', vapidKey: 'v' }
    const given = JSON.stringify({ ...config, storageBucket: 'p.appspot.com' })
    expect(loadConfig({ FCM_WEB_CONFIG: given }).pushClient).toEqual(config)
    for (const value of ['{', '[]', 'null', JSON.stringify({ ...config, vapidKey: ' ' })]) {
      expect(complaint({ FCM_WEB_CONFIG: value })).toBe(
        'FCM_WEB_CONFIG must be JSON with apiKey, projectId, messagingSenderId, appId and vapidKey, ' +
          `not ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`,
      )
    }
  })
  it('with secrets are never shown', () => {
    const shownFor = (variable: string, value: string) => complaint({ [variable]: value })
    for (const variable of ['MASTER_KEY', 'SMTP_URL', 'SMS_URL', 'READ_MODEL_URL', 'METRICS_TOKEN']) {
      const message = shownFor(variable, 'hunter2')
      expect(message).toContain(`${variable} must be`)
      expect(message).toContain('the text of 7 characters')
      expect(message).not.toContain('hunter2')
    }
  })
  it.each(['SMTP_URL', 'SMS_URL', 'READ_MODEL_URL', 'EVENT_STORE_URL', 'BUS_URL'])(
    '[C4] name %s if its password holds a bare %, and never show it',
    (variable) => {
      const scheme = { SMTP_URL: 'smtp', SMS_URL: 'https', READ_MODEL_URL: 'redis', EVENT_STORE_URL: 'esdb' }[variable]
      const message = complaint({ [variable]: `${scheme ?? 'kafka'}://user:hun%ter2@host.example:1234` })
      expect(message).toContain(`${variable} must be an address whose user and password are percent-encoded`)
      expect(message).not.toContain('ter2')
      expect(complaint({ [variable]: `${scheme ?? 'kafka'}://user:hun%25ter2@host.example:1234` })).toBe('none')
    },
  )
  it('allow a % in the path of a file', () => {
    expect(loadConfig({ EVENT_STORE_URL: 'sqlite:/srv/100%/events.db' }).eventStoreUrl).toContain('100%')
  })
  it('allow a % in the path of the SMS gateway', () => {
    const url = 'https://user:hun%25ter2@sms.example/100%/send?text=50%'
    expect(loadConfig({ SMS_URL: url }).outbound.smsUrl).toBe(url)
  })
  it('[C6] take exactly one sender of e-mails', () => {
    for (const value of [
      'no-reply@localhost',
      '"The Center" <a@b.example>',
      String.raw`"The \"Center\"" <a@b.example>`,
      '"Center: Mail; all" <a@b.example>',
      '<a@b.example>',
      'Portal <a@b.example>',
      'Center, The <a@b.example>',
      'Center; Mail <a@b.example>',
    ])
      expect(loadConfig({ MAIL_FROM: value }).outbound.mailFrom).toBe(value)
    for (const value of [
      'Portal',
      'Portal <>',
      'a@b.example, c@d.example',
      'Team: a@b;',
      'Center: Mail <a@b.example>',
      'Center, <a@b.example>',
      String.raw`"Center\" <a@b.example>`,
      'Portal <a:b@c.example>',
      'Portal <a@b.example,c@d.example>',
      'a:b@c.example',
    ])
      expect(complaint({ MAIL_FROM: value })).toContain('MAIL_FROM must be one address, such as')
  })
  it('reject clear text to providers: SMS over http in production, unknown TLS modes for SMTP', () => {
    const production = { NODE_ENV: 'production' }
    expect(complaint({ ...production, SMS_URL: 'http://user:secret@sms.example/send' })).toMatch(
      /^SMS_URL must be an https address in production/,
    )
    expect(complaint({ ...production, SMS_URL: 'http://user:secret@sms.example/send' })).not.toContain('secret')
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:8080'])
      expect(complaint({ ...production, SMS_URL: `http://${host}/send` })).toBe('none')
    expect(complaint({ SMS_URL: 'http://sms.example/send' })).toBe('none')
    expect(complaint({ SMTP_URL: 'smtp://mail.example:587?tls=optional' })).toBe('none')
    expect(complaint({ SMTP_URL: 'smtp://mail.example:587?tls=never' })).toMatch(/^SMTP_URL must be/)
  })
})
