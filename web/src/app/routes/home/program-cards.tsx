import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import type { Ref } from 'react'
import { ProgramCard } from '../../../features/programs/components/program-card.tsx'

/** The number of cards until the user asks for all. */
export const firstCards = 8

export const CardGrid = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 252px), 1fr))',
  gap: theme.spacing(5),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li': { minHeight: theme.spacing(55) },
  [theme.breakpoints.up('sm')]: { '& > li': { minHeight: theme.spacing(66) } },
}))

export type ProgramCardsProps = {
  readonly programs: readonly Program[]
  readonly addressOf: (program: Program) => string
  readonly ref?: Ref<HTMLUListElement>
}

export const ProgramCards = ({ programs, addressOf, ref }: ProgramCardsProps) => (
  <CardGrid ref={ref}>
    {programs.map((program) => (
      <li key={program._id}>
        <ProgramCard program={program} to={addressOf(program)} />
      </li>
    ))}
  </CardGrid>
)
