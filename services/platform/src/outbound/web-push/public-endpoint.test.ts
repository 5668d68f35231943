import { describe, expect, it } from 'vitest'
import { createEndpointResolver, isPublicAddress, PrivateEndpointError } from './public-endpoint.ts'

describe('an address', () => {
  it.each(['8.8.8.8', '142.250.1.1', '2a00:1450:4001:82f::200a', '2001:4860:4860::8888'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('the host of an endpoint', () => {
  const resolved = { 'push.test': ['8.8.8.8'], 'mixed.test': ['8.8.8.8', '10.0.0.1'], 'corp.test': ['10.0.0.1'] }
  const addressesOf = createEndpointResolver(new Set(['corp.test']), async (host) => {
    const found = Object.entries(resolved).find(([name]) => name === host)?.[1] ?? [host]
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  })

  it('is used if all its addresses are public, or if it is listed', async () => {
    for (const [host, address] of [
      ['push.test', '8.8.8.8'],
      ['corp.test', '10.0.0.1'],
      ['[2a00:1450::1]', '2a00:1450::1'],
    ])
      expect((await addressesOf(new URL(`https://${host}/x`))).map((one) => one.address)).toEqual([address])
  })
  it.each(['mixed.test', '127.1', '0x7f000001', '2130706433', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254'])(
    '%s is refused',
    async (host) => {
      await expect(addressesOf(new URL(`https://${host}/x`))).rejects.toThrow(PrivateEndpointError)
    },
  )
  it('of this machine is refused by its real name, too', async () => {
    await expect(createEndpointResolver(new Set())(new URL('https://localhost/'))).rejects.toThrow(PrivateEndpointError)
  })
})
