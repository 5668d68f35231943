import { limits } from '@portal/contracts/shared/rules'
import type { ApiError } from '@portal/platform/http/handler'
import type { ProgramRejection } from './decider.ts'

export const programNotFound: ApiError = { code: 'not-found', message: 'Program not found' }

export const apiErrorOf: Readonly<Record<ProgramRejection, ApiError>> = {
  'not-found': programNotFound,
  // Shown to an admin who retries with other content after the first response was lost.
  'added-with-other-content': {
    code: 'conflict',
    message: 'An earlier try has created this program already, as it was then. Open it in the list to change it.',
  },
  'changed-since': {
    code: 'conflict',
    message: 'Somebody else has changed this program since you opened it',
    errors: { revision: 'The program has changed since' },
  },
  'key-used': { code: 'conflict', message: 'This Idempotency-Key was used for another tool or fact' },
  'code-taken': { code: 'conflict', message: 'A program with this Program ID already exists' },
  'too-many': { code: 'conflict', message: `There can be at most ${limits.programs} programs` },
  'too-large': { code: 'payload-too-large', message: 'The program is too large' },
  'tool-not-found': { code: 'not-found', message: 'Tool not found' },
  'too-many-tools': { code: 'conflict', message: `A program can have at most ${limits.toolsPerProgram} tools` },
  'fact-not-found': { code: 'not-found', message: 'Fact not found' },
  'too-many-facts': { code: 'conflict', message: `A program can have at most ${limits.factsPerProgram} facts` },
}
