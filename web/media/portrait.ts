import { foldPath, ribbonPaths } from '../src/ui/brand-shape.ts'

/** The people in the clips are invented and drawn with a few shapes each. */
type Hair = 'bun' | 'short' | 'long' | 'bald' | 'wavy'

export type Person = {
  /** The name of the files, as in features/landing/content.ts. */
  readonly clip: string
  readonly ground: string
  readonly shape: string
  readonly skin: string
  readonly hairColor: string
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
    hairColor: ink,
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
    hairColor: ink,
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
    hairColor: '#3A2118',
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
    hairColor: '#6A6F78',
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
    hairColor: '#80858E',
    clothes: '#8C1030',
    collar: '#F8ECC3',
    hair: 'wavy',
    glasses: true,
    beard: false,
  },
]

/** Size of portraits and clips, in px. */
export const frame = { width: 480, height: 600 } as const

/** One frame of a clip. All values are from 0 to 1, except `tilt`. The portrait is the frame at rest. */
export type Moment = {
  /** Degrees. */
  readonly tilt: number
  readonly mouth: number
  readonly blink: number
  /** How far the logo in the background has risen. */
  readonly rise: number
}

const atRest: Moment = { tilt: 0, mouth: 0, blink: 0, rise: 0.5 }

const behind: Readonly<Record<Hair, string>> = {
  bun: '<circle cx="240" cy="116" r="46"/>',
  short: '',
  long: '<path d="M134 250c0-84 42-130 106-130s106 46 106 130v190H134z"/>',
  bald: '',
  wavy: '<path d="M130 256c-8-90 40-142 110-142s118 52 110 142c16 20 12 52-8 66H138c-20-14-24-46-8-66z"/>',
}

const before: Readonly<Record<Hair, string>> = {
  bun: '<path d="M150 250c0-74 30-112 90-112s90 38 90 112c-18-50-52-74-90-74s-72 24-90 74z"/>',
  short: '<path d="M146 262c-10-86 28-128 94-128 72 0 104 44 94 128l-16-50c-46 2-98-8-118-36-8 20-24 32-40 40z"/>',
  long: '<path d="M150 262c-6-82 30-122 90-122s96 40 90 122c-10-44-44-60-96-84-14 44-52 56-84 84z"/>',
  bald: '<path d="M148 280c-14-14-16-44-6-62l14 6v50zM332 280c14-14 16-44 6-62l-14 6v50z"/>',
  wavy: '<path d="M148 254c-6-80 34-118 92-118s98 38 92 118c-12-22-16-44-40-58-26 18-86 20-108 2-22 14-28 34-36 56z"/>',
}

const eyes = (blink: number) => {
  const height = Math.max(1.5, 8 * (1 - blink))
  return [208, 272].map((x) => `<ellipse cx="${x}" cy="262" rx="7" ry="${height}" fill="#14181F"/>`).join('')
}

const glasses = `<g fill="none" stroke="#14181F" stroke-width="5"><circle cx="208" cy="262" r="28"/><circle cx="272" cy="262" r="28"/><path d="M236 258h8"/></g>`

const beard = (color: string) =>
  `<path d="M156 276c0 76 34 116 84 116s84-40 84-116c-10 30-26 36-44 36-14-8-66-8-80 0-18 0-34-6-44-36z" fill="${color}"/>`

/** A smile that opens between fixed corners. */
const mouth = (open: number) =>
  `<path d="M212 322q28 ${14 + 34 * open} 56 0q-28 ${14 - 6 * open} -56 0z" fill="#5A1B12" stroke="#5A1B12" stroke-width="4" stroke-linejoin="round"/>`

const mark = ({ shape }: Person, rise: number) =>
  `<g transform="translate(-40 ${150 - 120 * rise}) scale(17.5)" fill="${shape}"><path d="${ribbonPaths[0]}"/><path d="${ribbonPaths[1]}"/><path d="${foldPath}" opacity=".62"/></g>`

const head = (person: Person, moment: Moment) => `<g transform="rotate(${moment.tilt} 240 420)">
<g fill="${person.hairColor}">${behind[person.hair]}</g>
<path d="M204 350h72v96c0 20-72 20-72 0z" fill="${person.skin}"/><path d="M204 372c20 22 52 22 72 0v26c-20 20-52 20-72 0z" fill="#14181F" opacity=".16"/>
<ellipse cx="240" cy="266" rx="88" ry="114" fill="${person.skin}"/>
${person.beard ? beard(person.hairColor) : ''}<g fill="${person.hairColor}">${before[person.hair]}</g>
${eyes(moment.blink)}${person.glasses ? glasses : ''}<path d="M240 270l-9 30h14" fill="none" stroke="#14181F" stroke-opacity=".4" stroke-width="4" stroke-linejoin="round"/>${mouth(moment.mouth)}</g>`

const body = ({ clothes, collar }: Person) =>
  `<path d="M40 620c6-132 70-186 164-196h72c94 10 158 64 164 196z" fill="${clothes}"/><path d="M204 424h72l-36 66z" fill="${collar}"/>`

export const portraitSvg = (person: Person, moment: Moment = atRest): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${frame.height}" viewBox="0 0 ${frame.width} ${frame.height}"><rect width="${frame.width}" height="${frame.height}" fill="${person.ground}"/>${mark(person, moment.rise)}<g transform="translate(0 34)">${body(person)}${head(person, moment)}</g></svg>\n`
