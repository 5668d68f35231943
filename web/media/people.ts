/** How the people of the clips are drawn: a few printed shapes each. Nobody real is meant. */
export type Hair = 'bun' | 'short' | 'long' | 'bald' | 'wavy'

export type Person = {
  /** The name of the files, as in features/landing/content.ts. */
  readonly clip: string
  readonly ground: string
  readonly shape: string
  readonly skin: string
  readonly hairColour: string
  readonly clothes: string
  readonly collar: string
  readonly hair: Hair
  readonly glasses: boolean
  readonly beard: boolean
}

const ink = '#14181F'
const paper = '#F6F6F2'
const rubric = '#BF360C'

export const people: readonly Person[] = [
  {
    clip: 'student-mechanical',
    ground: '#F2C9B6',
    shape: rubric,
    skin: '#A9683F',
    hairColour: ink,
    clothes: '#154781',
    collar: paper,
    hair: 'bun',
    glasses: false,
    beard: false,
  },
  {
    clip: 'student-commerce',
    ground: '#C7D8CB',
    shape: '#14572A',
    skin: '#8A5330',
    hairColour: ink,
    clothes: '#F1D07A',
    collar: '#14572A',
    hair: 'short',
    glasses: true,
    beard: false,
  },
  {
    clip: 'student-physics',
    ground: '#D9CFEA',
    shape: '#52288C',
    skin: '#C08A60',
    hairColour: '#3A2118',
    clothes: rubric,
    collar: '#F2C9B6',
    hair: 'long',
    glasses: false,
    beard: false,
  },
  {
    clip: 'faculty-machine-learning',
    ground: '#F1DFA8',
    shape: '#C48A12',
    skin: '#94592F',
    hairColour: '#6A6F78',
    clothes: ink,
    collar: paper,
    hair: 'bald',
    glasses: true,
    beard: true,
  },
  {
    clip: 'faculty-analytics',
    ground: '#C5D7EE',
    shape: '#154781',
    skin: '#B5764A',
    hairColour: '#80858E',
    clothes: '#8C1030',
    collar: '#F8ECC3',
    hair: 'wavy',
    glasses: true,
    beard: false,
  },
]
