import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPortalOrHttpsUrl } from '../shared/https-address.ts'

const portal = 'https://portal.example/programs/1'

it('an image URL is a path on the portal or an https address', () => {
  const accepted = ['/media/tools/1.svg', '/media/a%20b.svg', 'https://cdn.example/logo.png', 'HTTPS://CDN.example/x']
  const rejected = [
    '/\\evil.example/x',
    '//evil.example/x',
    '/\\/evil.example/x',
    'https:\\\\evil.example',
    'https:///evil.example',
    'https://\\evil.example',
    'https://portal.example\\@evil.example/x',
    '/\t/evil.example',
    'javascript:alert(1)',
    'data:image/svg+xml,x',
    'http://cdn.example/logo.png',
    'media/1.svg',
    'https://',
    'https://[',
  ]
  expect([...accepted, ...rejected].filter((address) => isPortalOrHttpsUrl(address))).toEqual(accepted)
})

/** Characters that browsers treat as separators, schemes and hosts, in any order. */
const hostile = fc.string({
  unit: fc.constantFrom(
    '/',
    '\\',
    'https:',
    'http:',
    '//',
    ':',
    '@',
    '.',
    'evil',
    '?',
    '#',
    '%5c',
    '\t',
    '\n',
    '\u0000',
    '\u3002',
    'a',
  ),
  maxLength: 12,
})

it('browsers resolve an accepted path to the portal’s origin and an accepted URL to https', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.constantFrom('/', 'https://', ''), hostile).map(([start, rest]) => start + rest),
      (address) => {
        fc.pre(isPortalOrHttpsUrl(address))
        const read = new URL(address, portal)
        const isAsRead = address.startsWith('/') ? read.origin === new URL(portal).origin : read.protocol === 'https:'
        expect(isAsRead).toBe(true)
      },
    ),
    { numRuns: 5_000 },
  )
})
