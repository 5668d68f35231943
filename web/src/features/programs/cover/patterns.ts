import { columns } from './patterns/columns.ts'
import { contours } from './patterns/contours.ts'
import { geometry } from './patterns/geometry.ts'
import { halftone } from './patterns/halftone.ts'
import { network } from './patterns/network.ts'
import { weave } from './patterns/weave.ts'
import type { Plates } from './plates.ts'
import { seededRandom, type Random } from './seeded-random.ts'

const patterns = { columns, contours, geometry, halftone, network, weave } satisfies Record<
  string,
  (random: Random) => Plates
>

export type PatternName = keyof typeof patterns
export const patternNames = ['columns', 'contours', 'geometry', 'halftone', 'network', 'weave'] as const

export const drawPattern = (name: PatternName, seed: number): Plates => patterns[name](seededRandom(seed))
