import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import type { ReactElement } from 'react'
import { Link } from 'react-router-dom'
import { formatRupees } from '../../../ui/money.ts'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { ToneBadge, type BadgeTone } from '../../../ui/type-badge.tsx'
import { artworkDesignOf, ProgramArtwork } from '../artwork/program-artwork.tsx'
import { cardProgressPercent } from '../placeholders.ts'
import { programAddress, semestersText } from '../program.ts'
import { ProgressBar } from './progress-bar.tsx'
import { sampleProgress } from './sample-note.tsx'

/** A card in one color with a solid left edge. The whole card is one link. */
export const CardLink = styled(Link, { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    overflow: 'hidden',
    borderRadius: theme.portal.radii.control,
    color: theme.vars.palette.portal.tones[tone].text,
    background: theme.vars.palette.portal.tones[tone].background,
    textDecoration: 'none',
    overflowWrap: 'anywhere',
    transition: `box-shadow ${theme.portal.motion.quickMs}ms ${theme.portal.motion.easing}`,
    '&:hover': { boxShadow: theme.vars.palette.portal.shadow },
    '&:hover h3': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.16em' },
    // The solid left edge.
    '&::before': {
      content: '""',
      position: 'absolute',
      insetBlock: 0,
      left: 0,
      width: 8,
      background: 'currentColor',
    },
  }),
)

const Text = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  gap: theme.spacing(1),
  padding: theme.spacing(4, 4, 4, 5),
  '& .code': { ...theme.typography.caption, fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '& .name': {
    ...theme.typography.h3,
    fontSize: theme.portal.pieces.name,
    lineHeight: 1.3,
    margin: 0,
    textWrap: 'pretty',
    paddingBottom: theme.spacing(2),
  },
  '& .terms': {
    ...theme.typography.body2,
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 4),
    paddingTop: theme.spacing(2),
    fontWeight: 600,
    fontVariantNumeric: 'tabular-nums',
  },
  // Align the terms of neighboring cards, even if their names differ in length.
  '& .rule': { border: 0, borderTop: '1px solid currentColor', opacity: 0.4, margin: 'auto 0 0', width: '100%' },
}))

const ArtworkFrame = styled('div')(({ theme }) => ({
  height: 88,
  [theme.breakpoints.up('sm')]: { height: 132 },
}))

type ProgramCardProps = {
  readonly program: Pick<Program, '_id' | 'programId' | 'programName' | 'semesterCount' | 'fee'>
  readonly to: string
}

export const ProgramCard = ({ program, to }: ProgramCardProps) => (
  <CardLink to={to} tone={artworkDesignOf(program).tone}>
    <ArtworkFrame>
      <ProgramArtwork program={program} />
    </ArtworkFrame>
    <Text>
      <span className="code">{program.programId}</span>
      <h3 className="name" lang={languageOf(program.programName)}>
        {program.programName}
      </h3>
      <hr className="rule" aria-hidden="true" />
      <span className="terms">
        <span>{semestersText(program.semesterCount)}</span>
        <span>{formatRupees(program.fee)}</span>
      </span>
    </Text>
  </CardLink>
)

const EnrolledArtworkFrame = styled('div')({ height: 88 })

const EnrolledText = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(4, 4, 4, 5),
  '& .name': {
    ...theme.typography.h3,
    fontSize: theme.portal.pieces.name,
    lineHeight: 1.3,
    margin: 0,
    textWrap: 'pretty',
  },
  '& .sample': { ...theme.typography.caption, display: 'block', paddingTop: theme.spacing(1.5) },
}))

/** A program in which the learner is enrolled, with their progress. */
export const EnrolledCard = ({ enrollment }: { enrollment: Enrollment }) => {
  const { programId, programName, currentSemester, withdrawnAt } = enrollment
  const subject = { _id: programId, programName }
  return (
    <CardLink to={programAddress(programId, true)} tone={artworkDesignOf(subject).tone}>
      <EnrolledArtworkFrame>
        <ProgramArtwork program={subject} />
      </EnrolledArtworkFrame>
      <EnrolledText>
        <h3 className="name" lang={languageOf(programName)}>
          {programName}
        </h3>
        {withdrawnAt !== null && (
          <span>
            <ToneBadge tone="yellow">Withdrawn</ToneBadge>
          </span>
        )}
        <div>
          <ProgressBar label={currentSemester} percent={cardProgressPercent} />
          <span className="sample">{sampleProgress}</span>
        </div>
      </EnrolledText>
    </CardLink>
  )
}

const Cards = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  listStyle: 'none',
  margin: 0,
  padding: 0,
}))

/** Cards below each other. Each has a key. */
export const CardList = ({ cards }: { cards: readonly ReactElement[] }) => (
  <Cards>
    {cards.map((card) => (
      <li key={card.key}>{card}</li>
    ))}
  </Cards>
)

const SkeletonStack = styled(DelayedFadeIn)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

type CardsSkeletonProps = { readonly label: string; readonly count: number; readonly heightPx: number }

export const CardsSkeleton = ({ label, count, heightPx }: CardsSkeletonProps) => (
  <SkeletonStack role="status" aria-label={label}>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} variant="rounded" height={heightPx} />
    ))}
  </SkeletonStack>
)
