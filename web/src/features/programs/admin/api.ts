import { restoreProgram as restoreRoute } from '@portal/contracts/catalog/deleted-programs'
import {
  addFact,
  addTool,
  createProgram,
  getAdminProgram,
  listAdminPrograms,
  removeFact,
  removeProgram,
  removeTool,
  updateProgram,
} from '@portal/contracts/catalog/http'
import { programSchema, type Program } from '@portal/contracts/catalog/program'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { call, type CallInput } from '../../../lib/http.ts'

const knownShapes = z.union([
  listAdminPrograms.response.transform(({ data }): readonly Program[] => data),
  z.array(programSchema).transform((data): readonly Program[] => data),
])

/** The list comes in an envelope or as a plain array. Any other shape is read as an empty list and logged. */
const listOfPrograms = {
  ...listAdminPrograms,
  response: knownShapes.catch(({ error }) => {
    console.error('Unexpected list of programs', error)
    return []
  }),
}

export const loadPrograms = (signal: AbortSignal) => call(listOfPrograms, { signal })

export const loadProgram = (id: string, signal: AbortSignal) => call(getAdminProgram, { params: { id }, signal })

export const deleteProgram = (id: ProgramRecordId) => call(removeProgram, { params: { id } })

export const restoreProgram = (id: ProgramRecordId) => call(restoreRoute, { params: { id } })

export type SavedProgram = CallInput<typeof createProgram>['body']

/** The idempotency key makes retries of an addition safe. */
const withKey = (key: string) => ({ headers: { [idempotencyKeyHeader]: key } })

export const create = (body: SavedProgram, key: string) => call(createProgram, { body, ...withKey(key) })

export const update = (id: string, body: CallInput<typeof updateProgram>['body']) =>
  call(updateProgram, { params: { id }, body })

/** The tools and facts of an existing program are added and removed one by one. Each response contains all of them. */
export const postTool = (id: string, body: CallInput<typeof addTool>['body'], key: string) =>
  call(addTool, { params: { id }, body, ...withKey(key) })

export const deleteTool = (id: string, toolId: string) => call(removeTool, { params: { id, toolId } })

export const postFact = (id: string, body: CallInput<typeof addFact>['body'], key: string) =>
  call(addFact, { params: { id }, body, ...withKey(key) })

export const deleteFact = (id: string, factId: string) => call(removeFact, { params: { id, factId } })
