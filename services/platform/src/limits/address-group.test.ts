import { expect, it } from 'vitest'
import { addressGroup } from './address-group.ts'

it('an IPv6 address counts as its network', () => {
  const groups = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
    '2001:DB8:1:2:ffff::1': '2001:db8:1:2',
    '2001:db8::1': '2001:db8:0:0',
    'fe80::1%eth0': 'fe80:0:0:0',
    '::1': '0:0:0:0',
    '': '',
  }
  expect(Object.fromEntries(Object.keys(groups).map((address) => [address, addressGroup(address)]))).toEqual(groups)
})
