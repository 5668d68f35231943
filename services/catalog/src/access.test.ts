import { listDeletedPrograms, restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import {
  addFact,
  addTool,
  addUniversity,
  createProgram,
  enrollInProgram,
  getAdminProgram,
  getMyProgram,
  listAdminPrograms,
  listMyPrograms,
  removeFact,
  removeProgram,
  removeTool,
  removeUniversity,
  renameUniversity,
  updateProgram,
  uploadPicture,
} from '@portal/contracts/catalog/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { expect, onTestFinished, test } from 'vitest'
import { startHarness } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'

const adminRoutes: readonly AnyRoute[] = [
  listAdminPrograms,
  getAdminProgram,
  createProgram,
  updateProgram,
  removeProgram,
  listDeletedPrograms,
  restoreProgram,
  addTool,
  removeTool,
  addFact,
  removeFact,
  addUniversity,
  renameUniversity,
  removeUniversity,
  uploadPicture,
]
const sessionRoutes: readonly AnyRoute[] = [enrollInProgram, listMyPrograms, getMyProgram]

test('[G-43 G-44] only admins read and change the catalog as admins do; learners need a session', async () => {
  const portal = await startHarness()
  onTestFinished(() => portal.stop())
  const asked: [route: AnyRoute, as: 'student' | 'faculty' | undefined, refusal: string][] = [
    ...[...adminRoutes, ...sessionRoutes].map((route) => [route, undefined, '401 unauthenticated'] as const),
    ...adminRoutes.map((route) => [route, 'student', '403 forbidden'] as const),
    ...adminRoutes.map((route) => [route, 'faculty', '403 forbidden'] as const),
  ].map(([route, as, refusal]) => [route, as, refusal])
  const answers: unknown[] = []
  for (const [route, as] of asked) {
    const body = route.method === 'GET' ? {} : { body: {} }
    const call = { id: programIdOf(1), itemId: programIdOf(2), ...body, ...(as && { as }) }
    const { status, code } = await portal.refuse(route, call)
    answers.push([route.method, route.path, as, `${status} ${code}`])
  }
  expect(answers).toEqual(asked.map(([{ method, path }, as, refusal]) => [method, path, as, refusal]))
  expect(await portal.recorded()).toEqual([])
})
