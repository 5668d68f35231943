import { expect, test } from 'vitest'
import { makeProgramCode, sameCode } from './program-code.ts'

test('a code is generated from the name, with the first unused number', () => {
  const rows = [
    ['Minor in Artificial Intelligence', 'MIN-AI-01'],
    ['Minor in AI', 'MIN-AI-01'],
    ['Minor in Computer Science and Advanced Technologies', 'MIN-CSAT-01'],
    ['Data Science & ML', 'DAT-SML-01'],
    ['Analytics', 'ANA-01'],
    ['Économie appliquée', 'ECO-A-01'],
    ['the art of a and an', 'ART-01'],
    ['C++', 'C-01'],
    ['व्यवसाय', 'PROGRAM-01'],
    ['101', '101-01'],
    ['One two three four five six seven eight nine', 'ONE-TTFFS-01'],
  ] as const
  expect(rows.map(([name]) => [name, makeProgramCode(name, () => false)])).toEqual(rows)
  const taken = new Set(['MIN-AI-01', 'MIN-AI-02', 'MIN-AI-04'])
  expect(makeProgramCode('Minor in AI', (code) => taken.has(code))).toBe('MIN-AI-03')
})

test('codes are the same in any case, and with spaces around them', () => {
  const others = ['min-ai-01', ' MIN-AI-01', 'MIN-AI-1']
  expect(others.filter((other) => sameCode('MIN-AI-01', other))).toEqual(['min-ai-01', ' MIN-AI-01'])
})
