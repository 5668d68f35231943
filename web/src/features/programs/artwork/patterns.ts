/** A 32-bit hash of a text (FNV-1a). */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number

/** The same sequence for the same seed on every device (mulberry32). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const between = (random: Random, from: number, to: number): number => from + random() * (to - from)

/** A pattern in one color, in three layers. Each is the data of one SVG path. */
export type Artwork = { readonly solid: string; readonly line: string; readonly tint: string }

/** The size of an artwork in its own units; the card crops it. */
export const artworkWidth = 360
export const artworkHeight = 168

/** Rounded to a tenth of a unit, which is finer than a screen shows. */
const n = (value: number): string => String(Math.round(value * 10) / 10)

const disc = (x: number, y: number, radius: number): string =>
  `M${n(x - radius)} ${n(y)}a${n(radius)} ${n(radius)} 0 1 0 ${n(radius * 2)} 0a${n(radius)} ${n(radius)} 0 1 0 ${n(-radius * 2)} 0z`

const block = (x: number, y: number, width: number, height: number): string =>
  `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`

type Point = readonly [x: number, y: number]

const polyline = (points: readonly Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`).join('')

/** The integers from 0 up to, but not including, `count`. */
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

const columnCount = 15
const columnPitch = artworkWidth / columnCount
const columnGap = 4

/** Rising columns and a trend line above them. */
const columns = (random: Random): Artwork => {
  const heights = upTo(columnCount).map((i) => 16 + (i / columnCount) * 46 + between(random, -10, 12))
  const bars = heights.map((height, i) => ({
    path: block(i * columnPitch + columnGap / 2, artworkHeight - height, columnPitch - columnGap, height),
    isSolid: random() < 0.42,
  }))
  const tops = heights
    .map((height, i): Point => [(i + 0.5) * columnPitch, artworkHeight - height - between(random, 11, 20)])
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

const ringCorners = 48

/** A closed line around a peak: a circle deformed by two slow waves. */
const ring = ([x, y]: Point, radius: number, bulge: number, turn: number): string =>
  `${upTo(ringCorners)
    .map((i) => {
      const angle = (i / ringCorners) * 2 * Math.PI
      const reach = radius * (1 + bulge * Math.sin(2 * angle + turn) + (bulge / 2) * Math.cos(3 * angle - turn))
      return `${i === 0 ? 'M' : 'L'}${n(x + reach * 1.25 * Math.cos(angle))} ${n(y + reach * Math.sin(angle))}`
    })
    .join('')}z`

/** The level lines of a loss landscape, and the samples on it. */
const contours = (random: Random): Artwork => {
  const peak: Point = [artworkWidth * between(random, 0.28, 0.72), artworkHeight * between(random, 0.35, 0.65)]
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

const ornamentSize = 42

const quarter = (x: number, y: number, turn: number): string => {
  const corners = [
    [x, y, 1, 1],
    [x + ornamentSize, y, -1, 1],
    [x + ornamentSize, y + ornamentSize, -1, -1],
    [x, y + ornamentSize, 1, -1],
  ] as const
  const [cornerX, cornerY, right, down] = corners[turn] ?? corners[0]
  const sweep = right * down > 0 ? 1 : 0
  return `M${n(cornerX)} ${n(cornerY)}h${n(right * ornamentSize)}A${ornamentSize} ${ornamentSize} 0 0 ${sweep} ${n(cornerX)} ${n(cornerY + down * ornamentSize)}z`
}

const triangle = (x: number, y: number, turn: number): string =>
  turn % 2 === 0
    ? `M${n(x)} ${n(y)}h${ornamentSize}l${-ornamentSize} ${ornamentSize}z`
    : `M${n(x)} ${n(y)}l${ornamentSize} ${ornamentSize}h${-ornamentSize}z`

const shapeIn = (x: number, y: number, random: Random): string => {
  const turn = Math.floor(random() * 4)
  const kind = random()
  if (kind < 0.55) return quarter(x, y, turn)
  if (kind < 0.72) return triangle(x, y, turn)
  return kind < 0.86
    ? disc(x + ornamentSize / 2, y + ornamentSize / 2, ornamentSize / 2)
    : block(x, y, ornamentSize, ornamentSize)
}

/** Typographic ornaments: quarter discs, triangles and squares on a grid. */
const geometry = (random: Random): Artwork => {
  const artwork = { solid: '', tint: '' }
  for (const row of upTo(artworkHeight / ornamentSize)) {
    for (const column of upTo(Math.ceil(artworkWidth / ornamentSize))) {
      const shape = shapeIn(column * ornamentSize, row * ornamentSize, random)
      const chance = random()
      if (chance < 0.44) artwork.solid += shape
      else if (chance < 0.82) artwork.tint += shape
    }
  }
  return { ...artwork, line: '' }
}

const dotPitch = 12
const largestDot = 5.6

/** A halftone screen: dots that grow along two waves. */
const halftone = (random: Random): Artwork => {
  const phase = between(random, 0, 2 * Math.PI)
  const slope = between(random, 0.01, 0.022)
  const rise = between(random, 0.024, 0.04)
  const dots: string[] = []
  for (const row of upTo(artworkHeight / dotPitch + 1)) {
    for (const column of upTo(artworkWidth / dotPitch + 1)) {
      const x = column * dotPitch + (row % 2 === 0 ? 0 : dotPitch / 2)
      const y = row * dotPitch
      const wave = Math.sin(x * slope + y * rise + phase) + 0.5 * Math.sin(x * slope * 2.1 - y * rise * 0.7)
      const radius = largestDot * Math.max(0, 0.42 + 0.42 * wave)
      if (radius > 0.5) dots.push(disc(x, y, radius))
    }
  }
  return { solid: dots.join(''), line: '', tint: '' }
}

const layers = 7
const layerGap = artworkWidth / (layers - 1)

/** Layers of nodes, each connected to some nodes of the next layer. */
const network = (random: Random): Artwork => {
  const nodes = upTo(layers).map((layer) => {
    const count = 3 + Math.floor(random() * 3)
    return upTo(count).map((i): Point => [
      layer * layerGap + between(random, -9, 9),
      ((i + 0.5) / count) * artworkHeight + between(random, -6, 6),
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

const tileSize = 24
const halfTile = tileSize / 2

/** Two quarter circles that join the middles of a tile's sides, one way or the other. */
const arcs = (x: number, y: number, isTurned: boolean): string =>
  isTurned
    ? `M${n(x + halfTile)} ${n(y)}a${halfTile} ${halfTile} 0 0 0 ${halfTile} ${halfTile}M${n(x)} ${n(y + halfTile)}a${halfTile} ${halfTile} 0 0 1 ${halfTile} ${halfTile}`
    : `M${n(x + halfTile)} ${n(y)}a${halfTile} ${halfTile} 0 0 1 ${-halfTile} ${halfTile}M${n(x + halfTile)} ${n(y + tileSize)}a${halfTile} ${halfTile} 0 0 1 ${halfTile} ${-halfTile}`

/** Conductors that cross a circuit board and never end on it. */
const weave = (random: Random): Artwork => {
  const artwork = { line: '', tint: '', solid: '' }
  for (const row of upTo(artworkHeight / tileSize)) {
    for (const column of upTo(artworkWidth / tileSize)) {
      const [x, y] = [column * tileSize, row * tileSize]
      artwork.line += arcs(x, y, random() < 0.5)
      if (random() < 0.2) artwork.tint += block(x, y, tileSize, tileSize)
      if (random() < 0.1) artwork.solid += disc(x + halfTile, y, 5)
    }
  }
  return artwork
}

const patterns = { columns, contours, geometry, halftone, network, weave } satisfies Record<
  string,
  (random: Random) => Artwork
>

export type PatternName = keyof typeof patterns
export const patternNames = ['columns', 'contours', 'geometry', 'halftone', 'network', 'weave'] as const

export const drawArtwork = (name: PatternName, seed: number): Artwork => patterns[name](seededRandom(seed))
