import { axeFindsNothing } from './axe-finds-nothing.ts'
import { visitsOf } from './screens.ts'

axeFindsNothing((portal) => visitsOf(portal).filter(({ as }) => as === null || as.email === portal.learner(1).email))
