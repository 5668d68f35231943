import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { securityEvents, securityResults } from './security-log.ts'

const deploy = join(import.meta.dirname, '../../../../deploy')

it('the alerts select events and results that the code records', () => {
  const alerts = readFileSync(join(deploy, 'prometheus/alerts.yml'), 'utf8')
  const valuesOf = (label: string) => {
    const selectors = [...alerts.matchAll(/portal_security_events_total\{([^}]*)\}/g)].map(([, inner]) => inner ?? '')
    return selectors.flatMap((inner) => new RegExp(`${label}="([^"]*)"`).exec(inner)?.[1] ?? [])
  }
  expect(Object.keys(securityEvents)).toEqual(expect.arrayContaining(valuesOf('event')))
  expect(securityResults).toEqual(expect.arrayContaining(valuesOf('result')))
  expect(new Set(valuesOf('event'))).toEqual(
    new Set([
      'log-in',
      'code-checked',
      'limit-hit',
      'request-refused',
      'request-failed',
      'socket-refused',
      'role-changed',
    ]),
  )
  expect(alerts).toContain('portal_outbound_messages_total{channel="email"}')
})
