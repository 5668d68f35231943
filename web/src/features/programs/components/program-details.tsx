import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Failure } from '../../../lib/http.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { dayText } from '../../../ui/time.tsx'
import type { BadgeTone } from '../../../ui/type-badge.tsx'
import { artworkDesignOf, ProgramArtwork } from '../artwork/program-artwork.tsx'

/** The common parts of the two pages of a program. */

/** The sections of a program's page below each other. */
export const DetailsStack = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(8),
}))

/** The artwork over the full width of the column, with the name below. */
const HeadFrame = styled('div', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({
    margin: theme.spacing(0, -5),
    color: theme.vars.palette.portal.tones[tone].text,
    background: theme.vars.palette.portal.tones[tone].background,
    overflowWrap: 'anywhere',
    '& .pattern': { height: 148 },
    '& .words': { display: 'grid', gap: theme.spacing(1), padding: theme.spacing(4, 5, 5) },
    '& .code': { ...theme.typography.caption, fontWeight: 600, margin: 0 },
    '& h2': { ...theme.typography.h1, fontSize: theme.portal.pieces.head, lineHeight: 1.2, margin: 0 },
    '& .below': { ...theme.typography.subtitle2, display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1, 5) },
  }),
)

type ProgramHeadProps = {
  readonly program: Pick<Program, '_id' | 'programId' | 'programName'>
  /** One line below the name. */
  readonly children?: ReactNode
}

export const ProgramHead = ({ program, children }: ProgramHeadProps) => (
  <HeadFrame tone={artworkDesignOf(program).tone}>
    <div className="pattern">
      <ProgramArtwork program={program} />
    </div>
    <div className="words">
      <p className="code">{program.programId}</p>
      <h2 lang={languageOf(program.programName)}>{program.programName}</h2>
      {children !== undefined && <div className="below">{children}</div>}
    </div>
  </HeadFrame>
)

const Description = styled(Typography)(({ theme }) => ({
  maxWidth: theme.portal.measure,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
}))

/** The description of a program, with the line breaks of the admin. */
export const ProgramText = ({ children }: { children: string }) =>
  children === '' ? null : <Description>{children}</Description>

const Strip = styled('p')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(3, 4),
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.portal.tones.yellow.text,
  background: theme.vars.palette.portal.tones.yellow.background,
}))

/** Marks a program that is no longer on offer. */
export const WithdrawnNotice = ({ since }: { since: string }) => (
  <Strip role="status">
    <strong>Withdrawn</strong>
    <span>{` on ${dayText(since)}. Read-only copy of this program.`}</span>
  </Strip>
)

const SkeletonStack = styled(DelayedFadeIn)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))
const HeadSkeleton = styled(Skeleton)(({ theme }) => ({ margin: theme.spacing(0, -5), borderRadius: 0 }))

export const DetailsSkeleton = () => (
  <SkeletonStack role="status">
    <HeadSkeleton variant="rectangular" height={252} />
    <Typography variant="body2" color="textSecondary">
      Loading program details...
    </Typography>
    <Skeleton variant="rounded" height={96} />
    <Skeleton variant="rounded" height={148} />
  </SkeletonStack>
)

/** Whether there is no such program; an invalid id counts as one that does not exist. */
export const isMissing = ({ code }: Failure): boolean => code === 'not-found' || code === 'invalid'

type DetailsFailureProps = { readonly failure: Failure; readonly onRetry: () => void }

export const DetailsFailure = ({ failure, onRetry }: DetailsFailureProps) =>
  isMissing(failure) ? (
    <div role="alert">
      <EmptyState
        illustration={<BookletIllustration />}
        text="Program not found"
        action={
          <Button component={Link} to="/my-program" variant="outlined" color="secondary">
            My Programs
          </Button>
        }
      />
    </div>
  ) : (
    <ErrorState
      illustration={<UnpluggedIllustration />}
      text={failure.message || 'Failed to load program details'}
      onRetry={onRetry}
    />
  )
