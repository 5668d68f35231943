import { block, disc, n, plateHeight, plateWidth, upTo, type Plates } from '../plates.ts'
import type { Random } from '../seeded-random.ts'

const size = 42

const quarter = (x: number, y: number, turn: number): string => {
  const corners = [
    [x, y, 1, 1],
    [x + size, y, -1, 1],
    [x + size, y + size, -1, -1],
    [x, y + size, 1, -1],
  ] as const
  const [cornerX, cornerY, right, down] = corners[turn] ?? corners[0]
  const sweep = right * down > 0 ? 1 : 0
  return `M${n(cornerX)} ${n(cornerY)}h${n(right * size)}A${size} ${size} 0 0 ${sweep} ${n(cornerX)} ${n(cornerY + down * size)}z`
}

const triangle = (x: number, y: number, turn: number): string =>
  turn % 2 === 0 ? `M${n(x)} ${n(y)}h${size}l${-size} ${size}z` : `M${n(x)} ${n(y)}l${size} ${size}h${-size}z`

const shapeIn = (x: number, y: number, random: Random): string => {
  const turn = Math.floor(random() * 4)
  const kind = random()
  if (kind < 0.55) return quarter(x, y, turn)
  if (kind < 0.72) return triangle(x, y, turn)
  return kind < 0.86 ? disc(x + size / 2, y + size / 2, size / 2) : block(x, y, size, size)
}

/** A setter's ornaments: quarter discs, triangles and squares on a grid. */
export const geometry = (random: Random): Plates => {
  const plates = { solid: '', tint: '' }
  for (const row of upTo(plateHeight / size)) {
    for (const column of upTo(Math.ceil(plateWidth / size))) {
      const shape = shapeIn(column * size, row * size, random)
      const chance = random()
      if (chance < 0.44) plates.solid += shape
      else if (chance < 0.82) plates.tint += shape
    }
  }
  return { ...plates, line: '' }
}
