import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { Program } from '@portal/contracts/catalog/program'
import type { ReactNode } from 'react'
import { ProgramCard } from '../../components/program-card.tsx'
import { DetailsStack } from '../../components/program-details.tsx'
import { ProgramOffer } from '../../components/program-offer.tsx'

/** The page of a program as an admin previews it. */
export const previewAddress = (id: string): string => `/admin/programs/${id}/preview`

const Part = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignContent: 'start',
  gap: theme.spacing(3),
}))

const LabeledPart = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Part>
    <Typography variant="body2" color="textSecondary">
      {label}
    </Typography>
    {children}
  </Part>
)

const Page = styled('div')(({ theme }) => ({
  overflow: 'hidden',
  paddingInline: theme.spacing(5),
  paddingBottom: theme.spacing(8),
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.sheet,
  background: theme.vars.palette.background.default,
}))

type PreviewProps = { readonly program: Program }

/** The card of a program in a learner's list. */
export const CardPreview = ({ program }: PreviewProps) => (
  <LabeledPart label="In the list">
    <ProgramCard program={program} to={previewAddress(program._id)} />
  </LabeledPart>
)

/** The page of a program as a learner sees it before enrolling. */
export const PagePreview = ({ program }: PreviewProps) => (
  <LabeledPart label="On its page">
    <Page>
      <DetailsStack>
        <ProgramOffer program={program} />
      </DetailsStack>
    </Page>
  </LabeledPart>
)
