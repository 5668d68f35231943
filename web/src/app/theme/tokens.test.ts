import { describe, expect, it } from 'vitest'
import { dark, light, radii, sizes, spaceUnit, stateNames, toneNames, type Colors } from './tokens.ts'

/** WCAG 2: the relative luminance of an sRGB color. */
const luminance = (hex: string): number => {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

const contrast = (one: string, other: string): number => {
  const [brighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((brighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

const textPairs = (c: Colors): readonly (readonly [string, string, string])[] => [
  ...(['paper', 'surface', 'backdrop', 'accentSoft'] as const).flatMap(
    (background) =>
      [
        [`ink on ${background}`, c.ink, c[background]],
        [`inkSoft on ${background}`, c.inkSoft, c[background]],
      ] as const,
  ),
  ['accent on paper', c.accent, c.paper],
  ['accent on surface', c.accent, c.surface],
  ['accent on accentSoft', c.accent, c.accentSoft],
  ['onAccent on accent', c.onAccent, c.accent],
  ['onAccent on accentPressed', c.onAccent, c.accentPressed],
  ['paper on ink', c.paper, c.ink],
  ['red background on dangerPressed', c.tones.red.background, c.dangerPressed],
  ...toneNames.flatMap(
    (tone) =>
      [
        [`${tone} text on its background`, c.tones[tone].text, c.tones[tone].background],
        [`${tone} text on paper`, c.tones[tone].text, c.paper],
        [`${tone} text on surface`, c.tones[tone].text, c.surface],
      ] as const,
  ),
  ...(['background', 'mark', 'fold'] as const).map(
    (part) => [`brand text on ${part}`, c.brand.text, c.brand[part]] as const,
  ),
]

const shapePairs = (c: Colors): readonly (readonly [string, string, string])[] =>
  (['paper', 'surface'] as const).flatMap((background) => [
    [`edge on ${background}`, c.edge, c[background]] as const,
    [`accent on ${background}`, c.accent, c[background]] as const,
    ...stateNames
      // Pending is the empty part of a bar; its count is shown below.
      .filter((state) => state !== 'pending')
      .map((state) => [`${state} on ${background}`, c.states[state], c[background]] as const),
  ])

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s colors', (_name, colors) => {
  it('have enough contrast for text (AA, 4.5) and shapes (3)', () => {
    const weak = (pairs: typeof textPairs, least: number) =>
      pairs(colors).filter(([, one, other]) => contrast(one, other) < least)
    expect(weak(textPairs, 4.5)).toEqual([])
    expect(weak(shapePairs, 3)).toEqual([])
  })
})

describe('the sizes', () => {
  it('are multiples of the grid, with touch targets of 44 px', () => {
    expect(Object.values(sizes).every((px) => px % spaceUnit === 0)).toBe(true)
    expect(sizes.target).toBeGreaterThanOrEqual(44)
    expect(sizes.bottomBar).toBeGreaterThanOrEqual(44)
  })

  it('have two radii', () => {
    expect(Object.keys(radii)).toHaveLength(2)
  })
})

describe('the code outside this folder', () => {
  const sources: Readonly<Record<string, string>> = import.meta.glob(
    ['/src/**/*.{ts,tsx}', '!/src/app/theme/**', '!/src/testing/**', '!/**/*.test.*', '!/src/**/testing/**'],
    { query: '?raw', import: 'default', eager: true },
  )

  it.each([
    ['color', /['"`\s]#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?=['"`;\s])|\b(?:rgba?|hsla?)\(/i],
    ['font', /fontFamily: ['"`]/],
    ['size of type', /fontSize: (?:['"`]?\d)/],
    ['duration', /(?:transition|animation)\w*: ['"`][^'"`]*\d(?:ms|s)\b/],
    ['thumb’s width of its own', /min(?:Height|Width): 44\b/],
  ])('contains no %s', (_what, raw) => {
    expect(Object.keys(sources).length).toBeGreaterThan(200)
    expect(Object.keys(sources).filter((file) => raw.test(sources[file] ?? ''))).toEqual([])
  })
})
