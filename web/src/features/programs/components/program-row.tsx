import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatRupees } from '../../../ui/money.ts'
import { languageOf } from '../../../ui/text-language.ts'
import { ToneBadge, type BadgeTone } from '../../../ui/type-badge.tsx'
import { artworkDesignOf, ProgramArtwork, type ArtworkSubject } from '../artwork/program-artwork.tsx'
import { cardProgressPercent } from '../placeholders.ts'
import { programAddress, semestersText } from '../program.ts'
import { ProgressBar } from './progress-bar.tsx'

/** From this number on, programs are rows instead of cards. */
export const rowsFromPrograms = 8

const StampFrame = styled('span', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({
    display: 'block',
    aspectRatio: '1',
    overflow: 'hidden',
    borderRadius: theme.portal.radii.control,
    color: theme.vars.palette.portal.tones[tone].text,
    background: theme.vars.palette.portal.tones[tone].background,
  }),
)

/** The cover of a program as a small square. */
export const ProgramStamp = ({ program }: { program: ArtworkSubject }) => (
  <StampFrame tone={artworkDesignOf(program).tone}>
    <ProgramArtwork program={program} />
  </StampFrame>
)

const RowLink = styled(Link)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '48px minmax(0, 1fr)',
  alignItems: 'center',
  gap: theme.spacing(3),
  minHeight: 64,
  padding: theme.spacing(2, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  overflowWrap: 'anywhere',
  '&:hover h3': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.16em' },
  '& h3': { ...theme.typography.subtitle1, margin: 0 },
  '& .below': {
    ...theme.typography.body2,
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 4),
    fontVariantNumeric: 'tabular-nums',
    color: theme.vars.palette.text.secondary,
  },
}))

type ProgramRowProps = {
  readonly program: ArtworkSubject
  readonly to: string
  /** What the row shows below the name. */
  readonly children: ReactNode
}

/** A program in a long list. The whole row is one link. */
export const ProgramRow = ({ program, to, children }: ProgramRowProps) => (
  <RowLink to={to}>
    <ProgramStamp program={program} />
    <span>
      <h3 lang={languageOf(program.programName)}>{program.programName}</h3>
      {children}
    </span>
  </RowLink>
)

const WithdrawnBadge = () => <ToneBadge tone="yellow">Withdrawn</ToneBadge>

export const EnrolledRow = ({ enrollment }: { enrollment: Enrollment }) => {
  const { programId, programName, currentSemester, withdrawnAt } = enrollment
  return (
    <ProgramRow program={{ _id: programId, programName }} to={programAddress(programId, true)}>
      {withdrawnAt !== null && <WithdrawnBadge />}
      <ProgressBar label={currentSemester} percent={cardProgressPercent} isInline />
    </ProgramRow>
  )
}

export const OfferedRow = ({ program }: { program: Program }) => (
  <ProgramRow program={program} to={programAddress(program._id, false)}>
    <span className="below">
      <span>{`${program.programId} · ${semestersText(program.semesterCount)}`}</span>
      <span>{formatRupees(program.fee)}</span>
    </span>
  </ProgramRow>
)

const Rows = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

/** Each row has a key. */
export const RowList = ({ rows }: { rows: readonly ReactElement[] }) => (
  <Rows>
    {rows.map((row) => (
      <li key={row.key}>{row}</li>
    ))}
  </Rows>
)
