import { styled } from '@mui/material/styles'
import { faculty, students } from '../content.ts'
import { TestimonialCarousel } from './testimonial-carousel.tsx'

const TestimonialColumns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr' },
}))

/** Students and faculty in their own words. The slides need a library, so they are not among the first contents. */
export const Testimonials = () => (
  <TestimonialColumns>
    <TestimonialCarousel title="Students" testimonials={students} />
    <TestimonialCarousel title="Faculty" testimonials={faculty} />
  </TestimonialColumns>
)
