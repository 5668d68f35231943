import { block, disc, n, plateHeight, plateWidth, upTo, type Plates } from '../plates.ts'
import type { Random } from '../seeded-random.ts'

const size = 24
const half = size / 2

/** Two quarter circles that join the middles of a tile's sides, one way or the other. */
const arcs = (x: number, y: number, isTurned: boolean): string =>
  isTurned
    ? `M${n(x + half)} ${n(y)}a${half} ${half} 0 0 0 ${half} ${half}M${n(x)} ${n(y + half)}a${half} ${half} 0 0 1 ${half} ${half}`
    : `M${n(x + half)} ${n(y)}a${half} ${half} 0 0 1 ${-half} ${half}M${n(x + half)} ${n(y + size)}a${half} ${half} 0 0 1 ${half} ${-half}`

/** Conductors that wander over a board and never end in it. */
export const weave = (random: Random): Plates => {
  const plates = { line: '', tint: '', solid: '' }
  for (const row of upTo(plateHeight / size)) {
    for (const column of upTo(plateWidth / size)) {
      const [x, y] = [column * size, row * size]
      plates.line += arcs(x, y, random() < 0.5)
      if (random() < 0.2) plates.tint += block(x, y, size, size)
      if (random() < 0.1) plates.solid += disc(x + half, y, 5)
    }
  }
  return plates
}
