import type { Program } from '@portal/contracts/catalog/program'
import { patternNames, type PatternName } from './patterns.ts'
import { seededRandom, seedOf, type Random } from './seeded-random.ts'

const toneNames = ['red', 'green', 'yellow', 'purple', 'blue'] as const
type Tone = (typeof toneNames)[number]

export type CoverDesign = { readonly pattern: PatternName; readonly tone: Tone; readonly seed: number }

export type CoverSubject = Pick<Program, '_id' | 'programName'>

/** The tracks on offer have covers that speak of their subject. The first that fits counts. */
const tracks: readonly { readonly names: RegExp; readonly pattern: PatternName; readonly tone: Tone }[] = [
  { names: /business|analytics|management|finance/i, pattern: 'columns', tone: 'green' },
  { names: /data science|machine learning|statistics|\bml\b|\bds\b/i, pattern: 'contours', tone: 'blue' },
  { names: /artificial intelligence|\bai\b/i, pattern: 'network', tone: 'red' },
  { names: /comput|software|\bcs\b|\bcse\b/i, pattern: 'weave', tone: 'purple' },
]

const pick = <T>(all: readonly [T, ...T[]], random: Random): T => all[Math.floor(random() * all.length)] ?? all[0]

/** How a programme's cover looks: by its subject where that is known, else by its id; the details by its id always. */
export const coverDesignOf = ({ _id, programName }: CoverSubject): CoverDesign => {
  const seed = seedOf(_id)
  const track = tracks.find(({ names }) => names.test(programName))
  if (track) return { pattern: track.pattern, tone: track.tone, seed }
  const random = seededRandom(seed)
  return { pattern: pick(patternNames, random), tone: pick(toneNames, random), seed }
}
