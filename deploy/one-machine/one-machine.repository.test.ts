import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as authCalls from '@portal/contracts/auth/http'
import * as catalogCalls from '@portal/contracts/catalog/http'
import * as notificationCalls from '@portal/contracts/notifications/http'
import { routesOf } from '@portal/contracts/shared/route'
import { loadConfig } from '@portal/platform/settings/config'
import { expect, it } from 'vitest'

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const repository = join(import.meta.dirname, '../..')

const settingsIn = (unit: string): Record<string, string> =>
  Object.fromEntries(
    [...unit.matchAll(/^Environment=(.*)$/gm)]
      .flatMap(([, line = '']) => line.split(' '))
      .map((setting) => setting.split('=') as [string, string]),
  )

it.each(['portal.service', 'portal-backup.service'])(
  '%s has valid settings, and starts programs that exist',
  (name) => {
    const unit = read(name)
    expect(loadConfig({ ...settingsIn(unit), PUBLIC_URL: 'https://portal.example' })).toMatchObject({
      environment: 'production',
      dataDir: '/var/lib/portal',
      backupDir: '/var/backups/portal',
    })
    const programs = [...unit.matchAll(/^ExecStart=\/srv\/portal\/node_modules\/\.bin\/node (\S+)$/gm)]
    expect(programs.length).toBeGreaterThan(0)
    for (const [, program = ''] of programs) expect(existsSync(join(repository, program))).toBe(true)
  },
)

const largestBodyBytes = Math.max(
  ...[authCalls, catalogCalls, notificationCalls].flatMap((calls) =>
    routesOf(calls).map(({ bodyLimitBytes = 0 }) => bodyLimitBytes),
  ),
)

it('the proxies pass the largest call and WebSockets, and hide the metrics', () => {
  expect(read('nginx.conf')).toContain(`client_max_body_size ${largestBodyBytes / 1024 ** 2}m;`)
  expect(read('Caddyfile')).toContain(`max_size ${largestBodyBytes / 1024 ** 2}MiB`)
  expect(read('nginx.conf')).toContain('proxy_set_header Upgrade $http_upgrade;')
  expect(read('nginx.conf')).toMatch(/location = \/metrics \{\s+return 404;/)
  expect(read('Caddyfile')).toContain('respond /metrics 404')
})
