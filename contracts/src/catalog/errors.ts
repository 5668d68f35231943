import { routeError } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { onlyLearnersEnroll } from './enrollment.ts'

export const universityNotFound = routeError('not-found', 'University not found')
export const universityNameTaken = routeError('conflict', 'A university with this name already exists')
export const tooManyUniversities = routeError('conflict', `There can be at most ${limits.universities} universities`)

export const programNotFound = routeError('not-found', 'Program not found')
/** Shown to an admin who retries with other content after the first response was lost. */
export const addedWithOtherContent = routeError(
  'conflict',
  'An earlier attempt created this program with different content. Open it in the list to edit it.',
)
export const programChanged = routeError('conflict', 'Someone else has changed this program since you opened it')
export const keyUsed = routeError('conflict', 'This Idempotency-Key was used for another tool or fact')
export const codeTaken = routeError('conflict', 'A program with this Program ID already exists')
export const codeTakenMeanwhile = routeError(
  'conflict',
  'Another program has this Program ID now. Change its Program ID, then restore this program.',
)
export const restoreExpired = routeError(
  'conflict',
  'This program can no longer be restored. That is possible for 24 hours after its deletion.',
)
export const tooManyPrograms = routeError('conflict', `There can be at most ${limits.programs} programs`)
export const programTooLarge = routeError('payload-too-large', 'The program is too large')
export const toolNotFound = routeError('not-found', 'Tool not found')
export const tooManyTools = routeError('conflict', `A program can have at most ${limits.toolsPerProgram} tools`)
export const factNotFound = routeError('not-found', 'Fact not found')
export const tooManyFacts = routeError('conflict', `A program can have at most ${limits.factsPerProgram} facts`)

export const notALearner = routeError('forbidden', onlyLearnersEnroll)
export const tooManyEnrollments = routeError(
  'conflict',
  `You can be enrolled in at most ${limits.enrollmentsPerUser} programs`,
)

export * from './picture-errors.ts'
