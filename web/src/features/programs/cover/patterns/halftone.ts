import { disc, plateHeight, plateWidth, upTo, type Plates } from '../plates.ts'
import { between, type Random } from '../seeded-random.ts'

const pitch = 12
const largest = 5.6

/** A printer's screen: dots that swell along two waves. */
export const halftone = (random: Random): Plates => {
  const phase = between(random, 0, 2 * Math.PI)
  const slope = between(random, 0.01, 0.022)
  const rise = between(random, 0.024, 0.04)
  const dots: string[] = []
  for (const row of upTo(plateHeight / pitch + 1)) {
    for (const column of upTo(plateWidth / pitch + 1)) {
      const x = column * pitch + (row % 2 === 0 ? 0 : pitch / 2)
      const y = row * pitch
      const wave = Math.sin(x * slope + y * rise + phase) + 0.5 * Math.sin(x * slope * 2.1 - y * rise * 0.7)
      const radius = largest * Math.max(0, 0.42 + 0.42 * wave)
      if (radius > 0.5) dots.push(disc(x, y, radius))
    }
  }
  return { solid: dots.join(''), line: '', tint: '' }
}
