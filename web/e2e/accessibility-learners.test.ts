import { checkAccessibility } from './accessibility.ts'
import { visitsOf } from './screens.ts'

checkAccessibility((portal) => visitsOf(portal).filter(({ as }) => as === null || as.email === portal.learner(1).email))
