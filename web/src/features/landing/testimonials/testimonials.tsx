import { styled } from '@mui/material/styles'
import { faculty, students } from '../content.ts'
import { Reel } from './reel.tsx'

const Reels = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(14),
  '& > *': { minWidth: 0 },
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr', gap: theme.spacing(10) },
}))

export const Testimonials = () => (
  <Reels>
    <Reel title="Students" testimonials={students} />
    <Reel title="Faculty" testimonials={faculty} />
  </Reels>
)
