import { disc, n, plateHeight, plateWidth, upTo, type Plates, type Point } from '../plates.ts'
import { between, type Random } from '../seeded-random.ts'

const corners = 48

/** A closed line around a peak: a circle pushed out of shape by two slow waves. */
const ring = ([x, y]: Point, radius: number, bulge: number, turn: number): string =>
  `${upTo(corners)
    .map((i) => {
      const angle = (i / corners) * 2 * Math.PI
      const reach = radius * (1 + bulge * Math.sin(2 * angle + turn) + (bulge / 2) * Math.cos(3 * angle - turn))
      return `${i === 0 ? 'M' : 'L'}${n(x + reach * 1.25 * Math.cos(angle))} ${n(y + reach * Math.sin(angle))}`
    })
    .join('')}z`

/** The level lines of a loss landscape, and the samples on it. */
export const contours = (random: Random): Plates => {
  const peak: Point = [plateWidth * between(random, 0.28, 0.72), plateHeight * between(random, 0.35, 0.65)]
  const turn = between(random, 0, 2 * Math.PI)
  const bulge = between(random, 0.1, 0.17)
  const radii = upTo(15).map((i) => 12 + i * 14)
  const samples = upTo(13).map(() => {
    const angle = between(random, 0, 2 * Math.PI)
    const reach = between(random, 18, 88)
    return disc(peak[0] + reach * 1.6 * Math.cos(angle), peak[1] + reach * 0.8 * Math.sin(angle), 3.6)
  })
  return {
    line: radii.map((radius, i) => ring(peak, radius, bulge, turn + i * 0.09)).join(''),
    tint: [ring(peak, 54, bulge, turn + 0.27), ring(peak, 96, bulge, turn + 0.54)].join(''),
    solid: [ring(peak, 12, bulge, turn), ...samples].join(''),
  }
}
