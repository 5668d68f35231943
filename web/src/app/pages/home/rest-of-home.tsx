import { BelowTheFold } from '../../../features/landing/below-the-fold.tsx'
import { ProgramList } from './program-list.tsx'

/** What comes after the first screens, and is loaded after them. */
export const RestOfHome = () => <BelowTheFold programs={<ProgramList />} />
