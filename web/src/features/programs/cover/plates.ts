/** What one ink prints in three ways: solid, as lines, and as a tint. Each is the data of one SVG path. */
export type Plates = { readonly solid: string; readonly line: string; readonly tint: string }

/** The plates' size in their own units; a cover cuts off what it has no room for. */
export const plateWidth = 360
export const plateHeight = 168

/** A tenth of a unit is finer than a screen shows. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

export const disc = (x: number, y: number, radius: number): string =>
  `M${n(x - radius)} ${n(y)}a${n(radius)} ${n(radius)} 0 1 0 ${n(radius * 2)} 0a${n(radius)} ${n(radius)} 0 1 0 ${n(-radius * 2)} 0z`

export const block = (x: number, y: number, width: number, height: number): string =>
  `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`

export type Point = readonly [x: number, y: number]

export const polyline = (points: readonly Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`).join('')

/** The numbers from 0 up to `count`, for plates are made of rows. */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
