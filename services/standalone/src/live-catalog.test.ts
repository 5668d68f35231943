import { restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import {
  addTool,
  createProgram,
  enrollInProgram,
  getProgram,
  removeProgram,
  updateProgram,
} from '@portal/contracts/catalog/http'
import { type CatalogChanged, catalogChangedSchema, enrollmentChangedSchema } from '@portal/contracts/catalog/socket'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Person,
  type PortalFixture,
  startPortalFixture,
  type Tab,
} from '@portal/standalone/testing/portal-fixture'
import { until } from '@portal/platform/testing/until'

let fixture: PortalFixture
let admin: Person
beforeAll(async () => {
  fixture = await startPortalFixture({ learners: 2 })
  admin = await fixture.admin()
})
afterAll(() => fixture.stop())

const create = async (programName: string) =>
  (await fixture.call(createProgram, { as: admin, body: { programName } })).data

const changesTo = ({ client }: Tab): CatalogChanged[] => {
  const changes: CatalogChanged[] = []
  client.on('catalog:changed', (message) => changes.push(catalogChangedSchema.parse(message)))
  return changes
}

describe('a catalog change', () => {
  it('reaches the open tab of a learner, with the same data as the API', async () => {
    const changes = changesTo(await fixture.openTab(await fixture.learner(1)))
    const { _id: id } = await create('Minor in AI')
    await until(() => expect(changes).toMatchObject([{ kind: 'program-saved', program: { _id: id } }]))

    const params = { id }
    const body = { programName: 'Minor in ML', fee: '₹45,000' }
    await fixture.call(updateProgram, { as: admin, params, body })
    await fixture.call(addTool, { as: admin, params, body: { name: 'Git', logoUrl: '/git.svg' } })
    // A write waits for its projection only for a limited time, so what is read may still be older than the message.
    await until(async () => {
      const { data: program } = await fixture.call(getProgram, { params })
      expect(program).toMatchObject({ toolkit: [{ name: 'Git' }] })
      expect(changes.at(-1)).toEqual({ kind: 'program-saved', program })
    })

    await fixture.call(removeProgram, { as: admin, params })
    await until(() => expect(changes.at(-1)).toMatchObject({ kind: 'program-removed', programId: id }))

    const { data: program } = await fixture.call(restoreProgram, { as: admin, params })
    await until(() => expect(changes.at(-1)).toEqual({ kind: 'program-saved', program }))
  })
})

describe('an enrollment', () => {
  it('reaches all open tabs of that learner, and no others', async () => {
    const { _id: id } = await create('Minor in DS')
    const [ada, ben] = [await fixture.learner(1), await fixture.learner(2)]
    const tabs = [await fixture.openTab(ada), await fixture.openTab(ada), await fixture.openTab(ben)]
    const told = tabs.map(({ client }) => {
      const enrollments: unknown[] = []
      client.on('enrollment:changed', (message) => enrollments.push(enrollmentChangedSchema.parse(message).enrollment))
      return enrollments
    })
    const { data: adas } = await fixture.call(enrollInProgram, { as: ada, params: { id } })
    const { data: bens } = await fixture.call(enrollInProgram, { as: ben, params: { id } })
    await until(() => expect(told).toEqual([[adas], [adas], [bens]]))
  })
})
