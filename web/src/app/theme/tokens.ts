/**
 * The design tokens: all colors, fonts, spacing and durations. Nothing outside src/app/theme contains a raw value;
 * tokens.test.ts checks this and the contrast of each pair with text.
 *
 * The design imitates two-color printing: ink on paper, and a red-orange accent for what is new or to be done.
 */

type Tone = { readonly background: string; readonly text: string }
export const toneNames = ['red', 'green', 'yellow', 'purple', 'blue'] as const
type ToneName = (typeof toneNames)[number]

/** Fill colors of the delivery states in a stacked bar. */
export const stateNames = ['pending', 'live', 'pushed', 'skipped', 'failed', 'cancelled'] as const
type StateName = (typeof stateNames)[number]

type Brand = {
  readonly background: string
  readonly text: string
  readonly mark: string
  readonly fold: string
}

export type Colors = {
  /** The background behind the column on wide screens. */
  readonly backdrop: string
  readonly paper: string
  readonly surface: string
  readonly ink: string
  readonly inkSoft: string
  readonly hairline: string
  /** Borders of controls: 3:1 against paper and surface. */
  readonly edge: string
  readonly accent: string
  readonly accentPressed: string
  readonly onAccent: string
  readonly accentSoft: string
  /** The fill of a destructive button below the pointer. Its text is the background of the red tone. */
  readonly dangerPressed: string
  readonly scrim: string
  readonly shadow: string
  readonly tones: Readonly<Record<ToneName, Tone>>
  readonly states: Readonly<Record<StateName, string>>
  /** The brand panel: the large logo on one color. */
  readonly brand: Brand
}

export const light: Colors = {
  backdrop: '#E7E8E3',
  paper: '#F6F6F2',
  surface: '#FFFFFF',
  ink: '#14181F',
  inkSoft: '#535A66',
  hairline: '#DCDDD7',
  edge: '#7F858F',
  accent: '#BF360C',
  accentPressed: '#9C2B08',
  onAccent: '#FFFFFF',
  accentSoft: '#FCE9E1',
  dangerPressed: '#6B0A24',
  scrim: 'rgba(20, 24, 31, 0.44)',
  shadow: '0 10px 32px rgba(20, 24, 31, 0.14), 0 1px 3px rgba(20, 24, 31, 0.08)',
  tones: {
    red: { background: '#FBE1E5', text: '#8C1030' },
    green: { background: '#DDF0E1', text: '#14572A' },
    yellow: { background: '#F8ECC3', text: '#634700' },
    purple: { background: '#ECE4F8', text: '#52288C' },
    blue: { background: '#DFEAF8', text: '#154781' },
  },
  states: {
    pending: '#C9CBC6',
    live: '#2C8A4B',
    pushed: '#2F6FBF',
    skipped: '#6C84A3',
    failed: '#BE2A4E',
    cancelled: '#5E6269',
  },
  brand: { background: '#BF360C', text: '#FFFFFF', mark: '#CB4A22', fold: '#A82E08' },
}

export const dark: Colors = {
  backdrop: '#0A0C10',
  paper: '#12151B',
  surface: '#1A1E26',
  ink: '#EEEDE8',
  inkSoft: '#A6ACB8',
  hairline: '#2B303A',
  edge: '#727A88',
  accent: '#FF9268',
  accentPressed: '#FFAE8E',
  onAccent: '#2A0E02',
  accentSoft: '#38221A',
  dangerPressed: '#FFCDD5',
  scrim: 'rgba(4, 6, 9, 0.64)',
  shadow: '0 10px 32px rgba(0, 0, 0, 0.5), 0 0 0 1px rgba(238, 237, 232, 0.08)',
  tones: {
    red: { background: '#3D1B24', text: '#FFB4C0' },
    green: { background: '#15321F', text: '#9EDDAE' },
    yellow: { background: '#372C0D', text: '#F1D07A' },
    purple: { background: '#2C2243', text: '#D3BDF9' },
    blue: { background: '#162A42', text: '#ABCEF8' },
  },
  states: {
    pending: '#3B414C',
    live: '#58B777',
    pushed: '#6BA4E8',
    skipped: '#9AA9BF',
    failed: '#EC6F8C',
    cancelled: '#727A88',
  },
  brand: { background: '#2A1710', text: '#FFE3D8', mark: '#3B2017', fold: '#522A1C' },
}

/** The system fonts of Android, Apple and Windows for names and texts in Hindi and Marathi. */
const devanagari = '"Noto Sans Devanagari", "Kohinoor Devanagari", "Nirmala UI"'

export const fonts = {
  display: `"Bricolage Grotesque Variable", "Bricolage Fallback", ${devanagari}, system-ui, sans-serif`,
  text: `"Figtree Variable", "Figtree Fallback", ${devanagari}, system-ui, sans-serif`,
  /** Keys and codes, whose characters are told apart one by one. */
  code: 'monospace',
} as const

/** px. Every distance is a multiple of it: `theme.spacing(4)` is 16 px. */
export const spaceUnit = 4

/** px. `control`: controls and rows. `sheet`: dialogs and floating panels. Dots and counts are round. */
export const radii = { control: 6, sheet: 14 } as const

/** px. */
export const sizes = {
  target: 44,
  column: 480,
  /** From this width on, the inbox shows the list and a notification side by side. */
  panes: 1100,
  listPane: 400,
  detailPane: 560,
  bottomBar: 60,
  rail: 240,
  page: 1200,
  /** The content of the admin panel with its margins: tables grow to 1280. */
  panel: 1360,
  /** The top bar of the landing page. On a desktop the logo has the same position on every learner page. */
  topBar: 72,
  /** Below this width, side-by-side elements are stacked or one of them is hidden. */
  smallPhone: 372,
  /** From this width on, visitors see the landing page without the bottom navigation. */
  wideLanding: 900,
} as const

/** Font sizes of the landing page. They grow with the window between two limits. */
export const posters = {
  headline: 'clamp(2.75rem, 1.1rem + 9.2vw, 6.75rem)',
  section: 'clamp(2rem, 1.5rem + 2.1vw, 3.25rem)',
  numeral: 'clamp(3.25rem, 2.7rem + 2.2vw, 4.5rem)',
  lead: 'clamp(1.125rem, 1.03rem + 0.4vw, 1.375rem)',
} as const

/** Font sizes of single elements outside the type scale. In rem, so that they follow the font size of the browser. */
export const pieces = {
  wordmark: '1.125rem',
  /** The name of a card in a list. */
  name: '1.25rem',
  initials: '1.5rem',
  head: '1.625rem',
  count: '2.5rem',
  figure: '3.5rem',
  brandFigure: '4rem',
  /** The size of its letters, in the units of its SVG. */
  crest: '20px',
} as const

export const motion = {
  quickMs: 120,
  steadyMs: 180,
  slowMs: 240,
  /** A wait shorter than this shows no skeleton or spinner. */
  waitIndicatorDelayMs: 100,
  /** The time in which the highlight of a new row fades. */
  arrivalFadeMs: 2000,
  easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
} as const

/** px. Tables become cards below `sm`; the admin sidebar appears from `md`. */
export const breakpoints = { xs: 0, sm: 700, md: 960, lg: 1280, xl: 1600 } as const

/** The maximum line length of body text. */
export const measure = '68ch'

/** A phone held sideways, or a desktop at 200 % zoom: bars must leave room for the content. */
export const shortWindow = '@media (max-height: 500px)'
