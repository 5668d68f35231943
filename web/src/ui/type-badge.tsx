import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** The five grounds that a label can stand on; src/app/theme/tokens.ts has their colors. */
export type BadgeTone = 'red' | 'green' | 'yellow' | 'purple' | 'blue'

const Label = styled('span', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({
    display: 'inline-block',
    padding: theme.spacing(0.5, 2),
    borderRadius: theme.portal.radii.control,
    fontSize: theme.typography.caption.fontSize,
    lineHeight: 18 / 13,
    fontWeight: 600,
    whiteSpace: 'nowrap',
    background: theme.vars.palette.portal.tones[tone].ground,
    color: theme.vars.palette.portal.tones[tone].text,
  }),
)

export const ToneBadge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => (
  <Label tone={tone}>{children}</Label>
)

/** The learner's colors of the notification types; whatever is not named is blue. */
const tones: Readonly<Record<string, BadgeTone>> = {
  'Fee Payment Reminder': 'red',
  'New Course Announcement': 'green',
  Assignment: 'yellow',
  Exam: 'purple',
}

export const TypeBadge = ({ type }: { type: string }) => (
  <ToneBadge tone={tones[type] ?? 'blue'}>{type === '' ? 'General' : type}</ToneBadge>
)
