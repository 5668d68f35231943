import { axeFindsNothing } from './axe-finds-nothing.ts'
import { visitsOf } from './screens.ts'

axeFindsNothing((portal) =>
  visitsOf(portal).filter(({ as }) => as?.email === portal.faculty.email || as?.email === portal.admin.email),
)
