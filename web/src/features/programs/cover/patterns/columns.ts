import { block, disc, plateHeight, plateWidth, polyline, upTo, type Plates, type Point } from '../plates.ts'
import { between, type Random } from '../seeded-random.ts'

const count = 15
const pitch = plateWidth / count
const gap = 4

/** Columns that rise on the whole, and a line that runs ahead of them. */
export const columns = (random: Random): Plates => {
  const heights = upTo(count).map((i) => 16 + (i / count) * 46 + between(random, -10, 12))
  const bars = heights.map((height, i) => ({
    path: block(i * pitch + gap / 2, plateHeight - height, pitch - gap, height),
    isSolid: random() < 0.42,
  }))
  const tops = heights
    .map((height, i): Point => [(i + 0.5) * pitch, plateHeight - height - between(random, 11, 20)])
    .filter((_, i) => i % 2 === 1)
  return {
    solid: [
      ...bars.filter(({ isSolid }) => isSolid).map(({ path }) => path),
      ...tops.map(([x, y]) => disc(x, y, 4)),
    ].join(''),
    tint: bars
      .filter(({ isSolid }) => !isSolid)
      .map(({ path }) => path)
      .join(''),
    line: polyline(tops),
  }
}
