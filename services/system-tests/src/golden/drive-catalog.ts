import { restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import * as catalog from '@portal/contracts/catalog/http'
import * as learners from '@portal/contracts/catalog/learners'
import { callRoute } from '../testing/api-client.ts'

/** A PNG. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Caller = { readonly token: string }

const driveUniversities = async (address: string, { token }: Caller): Promise<void> => {
  const add = async (name: string) =>
    (await callRoute(address, catalog.addUniversity, { token, body: { name } })).data._id
  const renamed = await add('Golden Univercity')
  await callRoute(address, catalog.renameUniversity, {
    token,
    params: { id: renamed },
    body: { name: 'Golden University' },
  })
  await callRoute(address, catalog.removeUniversity, { token, params: { id: await add('Closed University') } })
}

const fillProgram = async (address: string, { token }: Caller, id: string): Promise<void> => {
  const params = { id }
  const body = { programName: 'Golden Minor', detail: 'Changed', semesterCount: 2, semesters: [{ fee: '₹10,000' }] }
  await callRoute(address, catalog.updateProgram, { token, params, body })
  const addTool = (name: string) =>
    callRoute(address, catalog.addTool, { token, params, body: { name, logoUrl: '/media/tools/1.svg' } })
  await addTool('Kept tool')
  const { data: tools } = await addTool('Removed tool')
  const toolId = tools.toolkit.at(-1)?._id ?? ''
  await callRoute(address, catalog.removeTool, { token, params: { ...params, toolId } })
  const addFact = (content: string) => callRoute(address, catalog.addFact, { token, params, body: { content } })
  await addFact('Kept fact')
  const { data: facts } = await addFact('Removed fact')
  const factId = facts.facts.at(-1)?._id ?? ''
  await callRoute(address, catalog.removeFact, { token, params: { ...params, factId } })
}

/** A learner pays, which was a mistake, reaches the next semester, leaves, is back, and ends up in the other program. */
const driveLearner = async (
  address: string,
  { token }: Caller,
  { userId, from, to }: { readonly userId: string; readonly from: string; readonly to: string },
): Promise<void> => {
  const asked = { token, params: { id: from } }
  const body = { userIds: [userId], reason: 'Golden reason' }
  const payment = { amount: 1_000_000, paidOn: '2026-11-20', reference: 'Golden reference' }
  await callRoute(address, learners.confirmPayments, { ...asked, body: { ...body, ...payment } })
  await callRoute(address, learners.revertPayments, { ...asked, body })
  await callRoute(address, learners.setSemester, { ...asked, body: { ...body, semester: 2 } })
  await callRoute(address, learners.withdrawLearners, { ...asked, body })
  await callRoute(address, learners.reinstateLearners, { ...asked, body })
  await callRoute(address, learners.moveLearners, { ...asked, body: { ...body, toProgramId: to } })
}

/** Universities, a program with tools and facts, and two that are deleted with a learner in them; one is restored. Returns the number of enrollments. */
export const driveCatalog = async (
  address: string,
  admin: Caller,
  learner: Caller & { readonly userId: string },
): Promise<number> => {
  const { token } = admin
  await driveUniversities(address, admin)
  const add = async (programName: string) => {
    const headers = { 'idempotency-key': `golden-${programName.replaceAll(' ', '-')}` }
    return (await callRoute(address, catalog.createProgram, { token, headers, body: { programName } })).data._id
  }
  await callRoute(address, catalog.uploadPicture, { token, body: { file: onePixel } })
  const kept = await add('Golden Minor')
  await fillProgram(address, admin, kept)
  const deleted = await add('Deleted Minor')
  const restored = await add('Restored Minor')
  const enrolled = [kept, deleted, restored]
  for (const id of enrolled) {
    await callRoute(address, catalog.enrollInProgram, { token: learner.token, params: { id } })
  }
  for (const id of [deleted, restored]) await callRoute(address, catalog.removeProgram, { token, params: { id } })
  await callRoute(address, restoreProgram, { token, params: { id: restored } })
  const other = await add('Other Minor')
  await driveLearner(address, admin, { userId: learner.userId, from: kept, to: other })
  return enrolled.length + 1
}
