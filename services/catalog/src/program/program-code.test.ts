import { describe, expect, test } from 'vitest'
import { makeProgramCode, sameCode } from './program-code.ts'

describe('a generated code', () => {
  test.each([
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
  ])('for %s is %s', (name, code) => {
    expect(makeProgramCode(name, () => false)).toBe(code)
  })

  test('has the first unused number', () => {
    const taken = new Set(['MIN-AI-01', 'MIN-AI-02', 'MIN-AI-04'])
    expect(makeProgramCode('Minor in AI', (code) => taken.has(code))).toBe('MIN-AI-03')
  })
})

test.each([
  ['MIN-AI-01', 'min-ai-01', true],
  ['MIN-AI-01', ' MIN-AI-01', true],
  ['MIN-AI-01', 'MIN-AI-1', false],
])('%j and %j are the same code: %j', (a, b, same) => expect(sameCode(a, b)).toBe(same))
