import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { tracesIn } from './personal-traces.ts'

const text = 'o.thistlewood@post.example.com'
const around = (hidden: Buffer) => Buffer.concat([Buffer.from([0, 0xff, 0x61]), hidden, Buffer.from([0, 0x80])])
const swapped = Buffer.from(text, 'utf16le').swap16()

it.each([
  ['in the clear', Buffer.from(`x${text.toUpperCase()}y`)],
  ['in an address', Buffer.from(`/reset?email=${encodeURIComponent(text)}`)],
  ['in UTF-16', Buffer.from(text, 'utf16le')],
  ['in big-endian UTF-16', swapped],
  ['in base64', Buffer.from(Buffer.from(`{"to":"${text}"}`).toString('base64'))],
  ['in base64url behind other letters', Buffer.from(`ab${Buffer.from(`??>${text}`).toString('base64url')}`)],
  ['in compressed data with more behind it', Buffer.concat([gzipSync(Buffer.from(text)), Buffer.alloc(512)])],
  ['in UTF-16 in base64', Buffer.from(Buffer.from(text, 'utf16le').toString('base64'))],
])('a scan finds a text %s', (_, hidden) => {
  const places = [
    { name: 'here', bytes: around(hidden) },
    { name: 'elsewhere', bytes: around(Buffer.from('nothing')) },
  ]
  expect(tracesIn(places, [text, 'absent'])).toEqual([`here: ${text}`])
})
