import { randomUUID } from 'node:crypto'
import { listAudit } from '@portal/contracts/notifications/audit'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  recordTemplateUse,
} from '@portal/contracts/notifications/templates'
import { limits } from '@portal/contracts/shared/rules'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { afterEach, beforeEach, expect, it } from 'vitest'

let portal: Harness
let admin: Person
let other: Person
beforeEach(async () => {
  portal = await startHarness()
  const cast = await portal.cast()
  admin = cast.admin
  other = { ...cast.ben, role: 'admin' }
})
afterEach(() => portal.stop())

const text = { title: 'Fees', message: 'Are due', type: 'Exam' }
const create = async (name: string, more = {}) =>
  (await portal.call(createTemplate, { as: admin, body: { name, ...text, ...more } })).template
const list = async (as = other) => (await portal.call(listTemplates, { as })).templates
const says = async () => {
  await portal.untilProjected()
  return (await portal.call(listAudit, { as: admin })).rows.map((row) => row.says)
}

it('templates are shared by all admins, by name, with their last use', async () => {
  const button = { label: 'Pay', url: 'https://example.com/pay' }
  const translation = { lang: 'hi', title: 'शुल्क', message: 'देय है' }
  const fees = await create(' Fees ', { button, isUrgent: true, translation })
  expect(fees).toEqual({ _id: fees._id, name: 'Fees', ...text, button, isUrgent: true, translation, version: 1 })
  const exams = await create('Exam 10')
  await create('Exam 9')
  expect((await list()).map(({ name }) => name)).toEqual(['Exam 9', 'Exam 10', 'Fees'])
  expect((await list())[2]).toEqual(fees)
  await portal.call(recordTemplateUse, { as: other, params: { id: exams._id } })
  const [, used] = await list(admin)
  expect(used?.lastUse).toEqual({ at: expect.any(String), by: { _id: other.userId, fullName: 'Learner 2' } })
})

it('the first of two admins wins, and the other one sees it', async () => {
  const { _id: id, version } = await create('Fees')
  const body = { name: 'Fees', ...text, title: 'Fees of July', version }
  const change = (as: Person) => portal.inject(changeTemplate, { as, params: { id }, body })
  const answers = await Promise.all([change(admin), change(other)])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const refused = answers.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json()).toMatchObject({ message: 'Another admin has changed this template' })
  expect(await list()).toMatchObject([{ title: 'Fees of July', version: 2 }])
  const again = { ...body, version: 2, name: 'Fees of August' }
  await portal.call(changeTemplate, { as: other, params: { id }, body: again })
  for (let n = 0; n < 2; n++) {
    const { statusCode } = await portal.inject(deleteTemplate, { as: admin, params: { id } })
    expect(statusCode).toBe(n === 0 ? 200 : 404)
  }
  expect(await list()).toEqual([])
  expect(await says()).toEqual([
    'Learner 0 deleted the template Fees of August',
    'Learner 2 renamed the template Fees to Fees of August',
    expect.stringMatching(/^Learner [02] changed the template Fees$/),
    'Learner 0 saved the template Fees',
  ])
})

it('refuses a taken name, a missing one, a text that cannot be sent, and unknown templates', async () => {
  await create('Fees')
  const params = { id: randomUUID() }
  const rows = [
    [createTemplate, { body: { ...text, name: 'fees' } }, 409, 'A template with this name exists'],
    [createTemplate, { body: { ...text, name: ' ' } }, 400, 'Please enter a name for the template'],
    [createTemplate, { body: { ...text, name: 'x'.repeat(81) } }, 400, 'Name must be at most 80 characters'],
    [createTemplate, { body: { ...text, name: 'Other', title: '' } }, 400, 'Please enter a notification title'],
    [changeTemplate, { params, body: { ...text, name: 'Other', version: 1 } }, 404, 'Template not found'],
    [deleteTemplate, { params }, 404, 'Template not found'],
    [recordTemplateUse, { params }, 404, 'Template not found'],
  ] as const
  for (const [route, call, status, message] of rows) {
    const answer = await portal.inject(route, { as: admin, ...call })
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(message)])
  }
})

it(`has room for ${limits.templates}`, async () => {
  for (let n = 0; n < limits.templates; n++) await create(`Number ${n}`)
  const answer = await portal.inject(createTemplate, { as: admin, body: { name: 'One more', ...text } })
  expect([answer.statusCode, answer.json().message]).toEqual([409, 'There can be at most 100 templates'])
  expect(await list()).toHaveLength(limits.templates)
})
