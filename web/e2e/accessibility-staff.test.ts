import { checkAccessibility } from './accessibility.ts'
import { screenVisits } from './screens.ts'

checkAccessibility((portal) =>
  screenVisits(portal).filter(({ as }) => as?.email === portal.faculty.email || as?.email === portal.admin.email),
)
