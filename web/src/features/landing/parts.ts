import { ContactDetails } from './contact-details.tsx'
import { Faq } from './faq/faq.tsx'
import { FeatureList } from './feature-list.tsx'
import { WeekFigure } from './figures/week.tsx'
import { Reasons } from './reasons.tsx'
import { Testimonials } from './testimonials/testimonials.tsx'
import { PartnerUniversities } from './universities/partner-universities.tsx'

/** What fills the sections below the first screen. It is a file of its own, loaded when that screen has been painted. */
export const parts = {
  week: WeekFigure,
  features: FeatureList,
  universities: PartnerUniversities,
  reasons: Reasons,
  testimonials: Testimonials,
  contact: ContactDetails,
  faq: Faq,
} as const
