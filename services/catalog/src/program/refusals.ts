import { limits } from '@portal/contracts/shared/rules'
import type { Refusal } from '@portal/platform/http/handler'
import type { ProgramRejection } from './decider.ts'

export const programNotFound: Refusal = { code: 'not-found', message: 'Program not found' }

export const refusalOf: Readonly<Record<ProgramRejection, Refusal>> = {
  'not-found': programNotFound,
  'code-taken': { code: 'conflict', message: 'A program with this Program ID already exists' },
  'too-many': { code: 'conflict', message: `There can be at most ${limits.programs} programs` },
  'too-large': { code: 'payload-too-large', message: 'The program is too large' },
  'tool-not-found': { code: 'not-found', message: 'Tool not found' },
  'too-many-tools': { code: 'conflict', message: `A program can have at most ${limits.toolsPerProgram} tools` },
  'fact-not-found': { code: 'not-found', message: 'Fact not found' },
  'too-many-facts': { code: 'conflict', message: `A program can have at most ${limits.factsPerProgram} facts` },
}
