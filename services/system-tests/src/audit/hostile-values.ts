import fc from 'fast-check'

/** Characters that trip up parsers, sorters, terminals and layouts. */
const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\u0007\u001b[31m',
  '\u200b',
  '\u200e\u202e\u2066',
  '\ufeff',
  '\ud800',
  '\udc00\ud800',
  'e\u0301'.repeat(50),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  '👨‍👩‍👧‍👦',
  'ﷺ',
  '../../../../etc/passwd',
  "' OR 1=1 --",
  '"); DROP TABLE users; --',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'NaN',
  '1e999',
  '0x10',
  '٣',
  'true',
  'null',
  '[object Object]',
  '%00%0d%0aset-cookie:x=y',
] as const

const hugeTexts = fc.integer({ min: 1_000, max: 70_000 }).map((length) => 'x'.repeat(length))

const oddNumbers = fc.constantFrom(
  -1,
  -0,
  0.1,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 2,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  2 ** 32,
)

/** Parsed from JSON, so that `__proto__` is an own property. */
const pollution: fc.Arbitrary<unknown> = fc
  .constantFrom(
    '{"__proto__":{"role":"admin","isAdmin":true}}',
    '{"constructor":{"prototype":{"role":"admin"}}}',
    '{"toString":null,"valueOf":1,"hasOwnProperty":false}',
    '{"$ne":null}',
    '{"length":1000000000}',
    '{"then":"x"}',
    '{"toJSON":"x"}',
  )
  .map((text): unknown => JSON.parse(text))

const nested = fc.integer({ min: 1, max: 400 }).map((depth) => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
})

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  hugeTexts,
)

/** Values that no schema expects. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  oddNumbers,
  fc.constantFrom(null, true, false),
  fc.constant([]),
  fc.array(fc.constantFrom<unknown>(null, 1, 'x', {}), { maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  pollution,
  nested,
)

/** Malformed JSON, and JSON that no client produces. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{"a":',
    '[',
    '"',
    'null',
    'true',
    '0',
    '"text"',
    '[]',
    '[{}]',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '\u0000',
    '\ufeff{}',
    '{"a":"\\ud800"}',
    '{"a":1e999}',
    '{}{}',
    'undefined',
  ),
  fc.integer({ min: 1_000, max: 30_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1_000, max: 9_000 }).map((depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)),
  fc.integer({ min: 1_000, max: 10_000 }).map((count) => `{${'"k":1,'.repeat(count)}"k":1}`),
  fc.integer({ min: 60_000, max: 1_200_000 }).map((length) => JSON.stringify({ title: 'x'.repeat(length) })),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
