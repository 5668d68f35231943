import { styled } from '@mui/material/styles'
import { faculty, type PortraitTraits } from '../faculty.ts'

type Tone = PortraitTraits['tone']

const PortraitSvg = styled('svg', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: Tone }>(({
  theme,
  tone,
}) => {
  const { background, text } = theme.vars.palette.portal.tones[tone]
  /** Older browsers keep the first color. */
  const mixed = (inkPercent: number) => [background, `color-mix(in srgb, ${text} ${inkPercent}%, ${background})`]
  return {
    flex: 'none',
    borderRadius: theme.portal.radii.control,
    color: text,
    background: mixed(20),
    '& .face': { fill: background },
    '& .tint': { fill: 'currentColor', opacity: 0.26 },
    '& .line': { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8, strokeLinecap: 'round' },
    // Swap the colors in dark mode, so that a face does not look like a negative.
    ...theme.applyStyles('dark', { color: background, background: mixed(55), '& .face': { fill: text } }),
  }
})

/** Paths on a 64 × 64 grid: the hair behind the head and over the forehead. */
const hairPaths: Readonly<Record<PortraitTraits['hair'], { readonly behind: string; readonly front: string }>> = {
  short: { behind: '', front: 'M19 28c-1-11 5-17 13-17s14 6 13 17c-2-6-4-8-6-9-6 1-12 1-14 0-3 2-5 5-6 9z' },
  parted: {
    behind: 'M18 44c-3-20 1-33 14-33s17 13 14 33h-6V24H24v20z',
    front: 'M19 31c0-12 5-19 13-19s13 7 13 19c-3-8-9-11-16-13-4 3-8 6-10 13z',
  },
  bun: {
    behind: 'M32 1a7 7 0 1 1 0 14 7 7 0 0 1 0-14z',
    front: 'M19 30c-1-12 4-19 13-19s14 7 13 19c-2-7-6-11-13-11s-11 4-13 11z',
  },
  long: {
    behind: 'M17 56c-2-26-2-45 15-45s17 19 15 45z',
    front: 'M19 31c0-12 5-19 13-19s13 7 13 19c-1-7-5-10-9-12-5 5-11 8-17 12z',
  },
  curly: {
    behind: 'M18 34a6 6 0 0 1-1-10 6 6 0 0 1 4-9 7 7 0 0 1 11-5 7 7 0 0 1 11 5 6 6 0 0 1 4 9 6 6 0 0 1-1 10z',
    front: 'M20 28a5 5 0 0 1 3-8 5 5 0 0 1 9-2 5 5 0 0 1 9 2 5 5 0 0 1 3 8c-4-5-7-6-12-6s-8 1-12 6z',
  },
  bald: { behind: '', front: 'M19 32c-2-5-1-10 1-12 0 5 0 8 1 12zM45 32c2-5 1-10-1-12 0 5 0 8-1 12z' },
}

/** A two-color portrait of a faculty member. It is decorative: the name is beside it. */
const Portrait = ({ traits, size = 64 }: { traits: PortraitTraits; size?: number }) => {
  const { behind, front } = hairPaths[traits.hair]
  return (
    <PortraitSvg tone={traits.tone} width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path className="tint" d="M0 40h64v24H0z" />
      <path d={behind} fill="currentColor" />
      <path d="M8 64c0-11 9-17 24-17s24 6 24 17z" fill="currentColor" />
      <path className="face" d="M27 40h10v9c0 3-2 5-5 5s-5-2-5-5z" />
      <path className="face" d="M20 29c0-10 5-15 12-15s12 5 12 15-5 16-12 16-12-6-12-16z" />
      <path className="tint" d="M32 14c7 0 12 5 12 15s-5 16-12 16c4-4 6-9 6-16s-2-12-6-15z" />
      {traits.beard && (
        <path d="M20 31c1 5 3 6 5 5 4-2 10-2 14 0 2 1 4 0 5-5 0 10-5 16-12 16s-12-6-12-16z" fill="currentColor" />
      )}
      <path d={front} fill="currentColor" />
      {traits.glasses ? (
        <path className="line" d="M23 29a4 4 0 1 0 8 0 4 4 0 0 0-8 0zM33 29a4 4 0 1 0 8 0 4 4 0 0 0-8 0z" />
      ) : (
        <path className="line" d="M26.500 29h1.500M36 29h1.500" />
      )}
      {!traits.beard && <path className="line" d="M29 38c2 1.300 4 1.300 6 0" />}
    </PortraitSvg>
  )
}

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(4),
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .name': { ...theme.typography.subtitle1, margin: 0 },
  '& .post': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
}))

export const FacultyList = () => (
  <List>
    {faculty.map(({ name, designation, institution, image }) => (
      <li key={name}>
        <Portrait traits={image} />
        <div>
          <p className="name">{name}</p>
          <p className="post">{designation}</p>
          <p className="post">{institution}</p>
        </div>
      </li>
    ))}
  </List>
)
