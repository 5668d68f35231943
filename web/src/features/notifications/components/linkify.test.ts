import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkify } from './linkify.ts'

const linksOf = (text: string) =>
  linkify(text).flatMap((part) => (part.kind === 'link' ? [[part.text, part.href]] : []))

describe('links in a message', () => {
  it.each([
    ['Choose here: https://x.example/exam?center=12.', 'https://x.example/exam?center=12'],
    ['(see http://x.example/a_(b))', 'http://x.example/a_(b)'],
    ['HTTPS://x.example/Path, then wait', 'HTTPS://x.example/Path'],
    ['“https://x.example/a”', 'https://x.example/a'],
    ['फ़ॉर्म https://x.example/a। कल तक॥', 'https://x.example/a'],
    ['«https://x.example/a»', 'https://x.example/a'],
    ['「https://x.example/a」。', 'https://x.example/a'],
    ['https://x.example/a… or later', 'https://x.example/a'],
    ['https://x.example/a—or later', 'https://x.example/a'],
    ['https://x.example/a–', 'https://x.example/a'],
    ['फॉर्म https://x.example/aवर आहे', 'https://x.example/a'],
    ['https://x.example/a-ला', 'https://x.example/a'],
    ['(https://x.example/aवर).', 'https://x.example/a'],
    ['https://x.example/2026वर्ष/form', 'https://x.example/2026वर्ष/form'],
    ['https://x.example/wiki/C言語', 'https://x.example/wiki/C言語'],
    ['https://x.example/a، کل', 'https://x.example/a'],
    ['https://x.example/a۔', 'https://x.example/a'],
    ['`https://x.example/a`', 'https://x.example/a'],
    ['https://x.example/a→here', 'https://x.example/a'],
    ['https://x.example/a，明天', 'https://x.example/a'],
    ['https://hi.x.example/wiki/भारत।', 'https://hi.x.example/wiki/भारत'],
    ['https://x.example/été', 'https://x.example/été'],
    ['https://x.example/Mumbai–Pune', 'https://x.example/Mumbai–Pune'],
  ])('lead to the address in %j', (text, link) => {
    expect(linksOf(text)).toEqual([[link, new URL(link).href]])
  })

  it('write a mail and call a number', () => {
    expect(linksOf('Write to help@center.example, or call +91 98765 43210 or 9876543210.')).toEqual([
      ['help@center.example', 'mailto:help@center.example'],
      ['+91 98765 43210', 'tel:+919876543210'],
      ['9876543210', 'tel:9876543210'],
    ])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://bank.example@evil.example/',
    'ftp://x.example',
    'https://',
    'the 2026-11-21 09:00 session',
    'roll number 20261121000012',
    '₹45,000',
    'a@b',
  ])('are not made of %j', (text) => {
    expect(linksOf(text).filter(([, href]) => !href?.startsWith('mailto:'))).toEqual([])
  })

  it('keep the text as it is, and only have safe addresses', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'https://',
        'http://a.b/',
        'javascript:',
        '@',
        'a@b.c',
        '+919876543210',
        ' ',
        '.',
        ')',
        '<a href="',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const parts = linkify(text)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        for (const [, href] of linksOf(text)) expect(href).toMatch(/^(https?:\/\/|mailto:|tel:)/)
      }),
      { numRuns: 500 },
    )
  })

  it('are found in hostile texts without hanging', () => {
    const hostile = ['a'.repeat(5_000), '1 '.repeat(2_500), 'a@'.repeat(2_500), 'a.'.repeat(2_500), ')'.repeat(5_000)]
    for (const text of [...hostile, `https://x${')'.repeat(1_990)}`]) expect(linkify(text).length).toBeGreaterThan(0)
  })
})
