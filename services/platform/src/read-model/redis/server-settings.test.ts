import { expect, it } from 'vitest'
import { lossyReplicationOf, unfitBecause } from './server-settings.ts'

const info = (version: string, maxmemory: string, policy: string) =>
  `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory:${maxmemory}\r\nmaxmemory_policy:${policy}\r\n`

it('RM-64 accepts servers from version 7 that evict nothing', () => {
  expect(unfitBecause(info('7.0.15', '0', 'noeviction'))).toBeUndefined()
  expect(unfitBecause(info('10.2.0', '1024', 'volatile-lru'))).toBeUndefined()
  expect(unfitBecause(info('7.0.15', '0', 'allkeys-lru'))).toBeUndefined()
  expect(unfitBecause(info('7.0.15', '1024', 'allkeys-lfu'))).toContain('noeviction')
  expect(unfitBecause(info('6.2.1', '0', 'noeviction'))).toContain('6.2.1')
  expect(unfitBecause('')).toContain('unknown')
})

it('RM-64 warns of a primary that acknowledges writes which no replica has', () => {
  const replication = (...lines: string[]) => ['# Replication', ...lines, ''].join('\r\n')
  expect(lossyReplicationOf(replication('role:master', 'connected_slaves:0'))).toBeUndefined()
  expect(lossyReplicationOf(replication('role:slave', 'connected_slaves:1'))).toBeUndefined()
  expect(lossyReplicationOf(replication('role:master', 'connected_slaves:1'))).toContain('min-replicas-to-write')
  const required = replication('role:master', 'connected_slaves:1', 'min_slaves_good_slaves:1')
  expect(lossyReplicationOf(required)).toBeUndefined()
})
