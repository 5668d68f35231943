import * as error from '@portal/contracts/catalog/errors'
import type { ApiError } from '@portal/platform/http/handler'
import type { ProgramRejection } from './decider.ts'

export const apiErrorOf: Readonly<Record<ProgramRejection, ApiError>> = {
  'not-found': error.programNotFound,
  'added-with-other-content': error.addedWithOtherContent,
  'changed-since': { ...error.programChanged, errors: { revision: 'The program has changed since' } },
  'key-used': error.keyUsed,
  'code-taken': error.codeTaken,
  'code-taken-meanwhile': error.codeTakenMeanwhile,
  'restore-expired': error.restoreExpired,
  'too-many': error.tooManyPrograms,
  'too-large': error.programTooLarge,
  'tool-not-found': error.toolNotFound,
  'too-many-tools': error.tooManyTools,
  'fact-not-found': error.factNotFound,
  'too-many-facts': error.tooManyFacts,
}
