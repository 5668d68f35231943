import { Socket } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createHostRule, hostnameOf, serviceNames } from './allowed-hosts.ts'

const requestWith = (headers: Readonly<Record<string, string>>) => ({ headers, socket: new Socket() })
const ownAddress = Object.values(networkInterfaces()).flatMap((list) => list ?? [])[0]?.address ?? '127.0.0.1'

const ruleFor = (publicOrigin: string | undefined, host = '0.0.0.0', trusts = false) => {
  const rule = createHostRule({ host, publicOrigin, isTrusted: () => trusts, ownNames: ['catalog'] })
  return (given: string, more: Readonly<Record<string, string>> = {}) => rule?.(requestWith({ host: given, ...more }))
}

describe('the allowed Host names', () => {
  it('are the public one, those of this machine and of the processes, if the portal has a public address', () => {
    const isAllowed = ruleFor('https://Portal.example')
    const own = ownAddress.includes(':') ? `[${ownAddress}]` : ownAddress
    const known = ['portal.example', 'portal.example:443', 'PORTAL.example.', 'localhost:3000', '127.0.0.1:3000']
    const local = ['[::1]:3000', `${own}:3000`, 'catalog:3000', `${hostname()}:3000`]
    expect([...known, ...local].filter((host) => isAllowed(host) !== true)).toEqual([])
    const foreign = ['evil.example', 'portal.example.evil.example', 'xportal.example', '203.0.113.9', '', '[', 'x:y:z']
    expect(foreign.filter((host) => isAllowed(host) !== false)).toEqual([])
  })
  it('are any address, but no foreign name, if the portal listens on this machine without a public address', () => {
    const rules = [
      ruleFor('http://localhost:3000', '127.0.0.1'),
      ruleFor(undefined, '127.0.0.1'),
      ruleFor(undefined, 'localhost'),
    ]
    for (const isAllowed of rules) {
      const hosts = [
        'localhost:3000',
        '192.168.7.7:3000',
        '[fe80::1]:3000',
        'evil.example:3000',
        'localhost.evil.example',
      ]
      expect(hosts.map((host) => isAllowed(host))).toEqual([true, true, true, false, false])
    }
  })
  it('are unrestricted if the portal listens on the network without a public address', () => {
    for (const publicOrigin of [undefined, 'http://localhost:3000']) {
      expect(createHostRule({ host: '0.0.0.0', publicOrigin, isTrusted: () => false })).toBeUndefined()
    }
  })
  it('can be forwarded only by a trusted proxy that changes Host', () => {
    const forwarded = { 'x-forwarded-host': 'portal.example' }
    expect(ruleFor('https://portal.example', '0.0.0.0', true)('backend', forwarded)).toBe(true)
    expect(ruleFor('https://portal.example', '0.0.0.0', false)('backend', forwarded)).toBe(false)
    expect(ruleFor('https://portal.example', '0.0.0.0', true)('backend', { 'x-forwarded-host': 'evil.example' })).toBe(
      false,
    )
  })
  it('do not apply to health checks without Host', () => {
    const rule = createHostRule({ host: '0.0.0.0', publicOrigin: 'https://portal.example', isTrusted: () => false })
    expect(rule?.(requestWith({}))).toBe(true)
  })
  it('are compared without port', () => {
    expect(['a.b:1', '[::1]:1', '[::1]', 'A.b.'].map(hostnameOf)).toEqual(['a.b', '::1', '::1', 'a.b'])
    expect(serviceNames({ auth: 'http://auth:3000', catalog: undefined })).toEqual(['auth'])
  })
})
