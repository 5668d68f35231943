import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** The background of a label. The colors are in src/app/theme/tokens.ts. */
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
    background: theme.vars.palette.portal.tones[tone].background,
    color: theme.vars.palette.portal.tones[tone].text,
  }),
)

export const ToneBadge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => (
  <Label tone={tone}>{children}</Label>
)

/** Colors of the notification types on learners' pages. Other types are blue. */
const tones: Readonly<Record<string, BadgeTone>> = {
  'Fee Payment Reminder': 'red',
  'New Course Announcement': 'green',
  Assignment: 'yellow',
  Exam: 'purple',
}

export const TypeBadge = ({ type }: { type: string }) => (
  <ToneBadge tone={tones[type] ?? 'blue'}>{type === '' ? 'General' : type}</ToneBadge>
)
