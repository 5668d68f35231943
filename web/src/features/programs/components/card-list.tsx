import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { ReactElement } from 'react'
import { Waiting } from '../../../ui/skeletons.tsx'

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  listStyle: 'none',
  margin: 0,
  padding: 0,
}))

/** Booklets, one below the other. Each is keyed by its programme. */
export const CardList = ({ cards }: { cards: readonly ReactElement[] }) => (
  <List>
    {cards.map((card) => (
      <li key={card.key}>{card}</li>
    ))}
  </List>
)

const Stack = styled(Waiting)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

type CardsSkeletonProps = { readonly label: string; readonly count: number; readonly heightPx: number }

export const CardsSkeleton = ({ label, count, heightPx }: CardsSkeletonProps) => (
  <Stack role="status" aria-label={label}>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} variant="rounded" height={heightPx} />
    ))}
  </Stack>
)
