import { checkAccessibility } from './accessibility.ts'
import { visitsOf } from './screens.ts'

checkAccessibility((portal) =>
  visitsOf(portal).filter(({ as }) => as?.email === portal.faculty.email || as?.email === portal.admin.email),
)
