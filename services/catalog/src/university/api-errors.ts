import type { ApiError } from '@portal/platform/http/handler'
import { maxUniversities, type UniversityRejection } from './decider.ts'

export const apiErrorOf: Readonly<Record<UniversityRejection, ApiError>> = {
  'name-taken': { code: 'conflict', message: 'A university with this name already exists' },
  'not-found': { code: 'not-found', message: 'University not found' },
  'too-many': { code: 'conflict', message: `There can be at most ${maxUniversities} universities` },
}
