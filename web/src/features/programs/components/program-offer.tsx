import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { quotation, statistic } from '../placeholders.ts'
import { semestersText } from '../program.ts'
import { CourseFee } from './course-fee.tsx'
import { FacultyList } from './faculty-list.tsx'
import { ProgramHead, ProgramText } from './program-details.tsx'
import { ProgramFacts } from './program-facts.tsx'
import { Section } from './section.tsx'
import { ToolsGrid } from './tools.tsx'

const Tiles = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  '& > *': { margin: 0, padding: theme.spacing(5), borderRadius: theme.portal.radii.control },
  '& .statistic': {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    alignItems: 'center',
    gap: theme.spacing(5),
    color: theme.vars.palette.portal.brand.text,
    background: theme.vars.palette.portal.brand.background,
  },
  '& .figure': {
    ...theme.typography.h1,
    fontSize: theme.portal.pieces.figure,
    lineHeight: 1,
    fontVariantNumeric: 'tabular-nums',
  },
  '& .quotation': {
    ...theme.typography.h3,
    background: theme.vars.palette.portal.accentSoft,
    borderLeft: `4px solid ${theme.vars.palette.primary.main}`,
    textWrap: 'pretty',
  },
}))

/** A statistic and a quotation, the same for every program. */
const StatementTiles = () => (
  <Tiles>
    <p className="statistic">
      <span className="figure">{statistic.figure}</span>
      <span>{statistic.text}</span>
    </p>
    <blockquote className="quotation">{quotation}</blockquote>
  </Tiles>
)

const termsOf = ({ semesterCount, collegeName, eligibility }: Program) =>
  [
    { name: 'Duration', value: semestersText(semesterCount) },
    { name: 'College', value: collegeName },
    { name: 'Eligibility', value: eligibility },
  ].filter(({ value }) => value !== '')

/** The sections of the page of a program that the reader is not enrolled in. Admins see them as a preview. */
export const ProgramOffer = ({ program }: { readonly program: Program }) => (
  <>
    <ProgramHead program={program} />
    <ProgramText>{program.detail}</ProgramText>
    <StatementTiles />
    {program.facts.length > 0 && <ProgramFacts facts={program.facts} />}
    <DescriptionList items={termsOf(program)} />
    <CourseFee program={program} variant="not-registered" />
    {program.toolkit.length > 0 && (
      <Section title="Tools">
        <ToolsGrid tools={program.toolkit} />
      </Section>
    )}
    <Section title="Faculty">
      <FacultyList />
    </Section>
  </>
)
