import { checkAccessibility } from './accessibility.ts'
import { screenVisits } from './screens.ts'

checkAccessibility((portal) =>
  screenVisits(portal).filter(({ as }) => as === null || as.email === portal.learner(1).email),
)
