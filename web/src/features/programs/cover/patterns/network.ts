import { disc, plateHeight, plateWidth, polyline, upTo, type Plates, type Point } from '../plates.ts'
import { between, type Random } from '../seeded-random.ts'

const layers = 7
const layerGap = plateWidth / (layers - 1)

/** Layers of nodes, each joined to some of the next: a net at work, a few of its nodes lit. */
export const network = (random: Random): Plates => {
  const nodes = upTo(layers).map((layer) => {
    const count = 3 + Math.floor(random() * 3)
    return upTo(count).map((i): Point => [
      layer * layerGap + between(random, -9, 9),
      ((i + 0.5) / count) * plateHeight + between(random, -6, 6),
    ])
  })
  const edges = nodes
    .slice(0, -1)
    .flatMap((layer, i) =>
      layer.flatMap((from) => (nodes[i + 1] ?? []).filter(() => random() < 0.58).map((to) => polyline([from, to]))),
    )
  const all = nodes.flat()
  return {
    line: edges.join(''),
    tint: all
      .filter(() => random() < 0.3)
      .map(([x, y]) => disc(x, y, between(random, 16, 26)))
      .join(''),
    solid: all.map(([x, y]) => disc(x, y, random() < 0.34 ? 8 : 4.4)).join(''),
  }
}
