import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { clientAddressOf, trustedProxies } from './client-address.ts'

const requestFrom = (peer: string, forwardedFor?: string) => ({
  headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }),
})

it('the caller is the last one that no trusted proxy has named', () => {
  const cases = [
    [false, '::ffff:127.0.0.1', '127.0.0.1'],
    [1, '10.0.0.1', '203.0.113.9'],
    [2, '10.0.0.1', '198.51.100.7'],
    [9, '10.0.0.1', '6.6.6.6'],
    ['loopback', '::ffff:127.0.0.1', '203.0.113.9'],
    ['loopback', '10.0.0.1', '10.0.0.1'],
    ['loopback,203.0.113.0/24', '::1', '198.51.100.7'],
    ['uniquelocal', '10.0.0.1', '203.0.113.9'],
    ['192.0.2.1', '192.0.2.1', '203.0.113.9'],
  ] as const
  for (const [setting, peer, caller] of cases) {
    const isTrusted = trustedProxies(setting)
    const seen = clientAddressOf(requestFrom(peer, '6.6.6.6, 198.51.100.7, 203.0.113.9'), isTrusted)
    expect([setting, peer, seen]).toEqual([setting, peer, caller])
    expect(clientAddressOf(requestFrom('192.0.2.77'), isTrusted)).toBe('192.0.2.77')
  }
})
