import { templateIdSchema } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { specification } from '@portal/platform/testing/decider/specification'
import { it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { type TemplateCommand, templateDecider } from './decider.ts'
import type { TemplateEvent } from './events.ts'

const { given } = specification(templateDecider)
const idAt = (n: number) => templateIdSchema.parse(`01900000-0000-7000-8000-${String(n).padStart(12, '0')}`)
const text = { title: 'Fees', message: 'Are due', type: 'Exam' as const }
const [templateId, name] = [idAt(1), 'Fees']

const created = (n = 1, as = name): TemplateEvent => ({
  type: 'TemplateCreated',
  data: { templateId: idAt(n), name: as, text },
})
const create = (n: number, as: string): TemplateCommand => ({
  type: 'CreateTemplate',
  templateId: idAt(n),
  name: as,
  text,
})
const change = (version: number, as = name): TemplateCommand => ({
  type: 'ChangeTemplate',
  templateId,
  name: as,
  text,
  version,
})
const changed: TemplateEvent = { type: 'TemplateChanged', data: { templateId, name, text } }
const remove: TemplateCommand = { type: 'DeleteTemplate', templateId }
const used = (seconds: number, by = 1) => ({
  templateId,
  usedBy: userIdAt(by),
  usedAt: new Date(Date.UTC(2026, 10, 21, 10, 0, seconds)).toISOString(),
})
const use = (...args: Parameters<typeof used>): TemplateCommand => ({ type: 'UseTemplate', ...used(...args) })

it('a template is saved under a name that no other one has, in whatever letter case', () => {
  given([]).when(create(1, name)).then([created()])
  for (const taken of ['fees', ' FEES ', 'Ｆees']) given([created()]).when(create(2, taken)).thenRejected('name-taken')
  given([created(), created(2, 'Exams')])
    .when(change(1, 'exams'))
    .thenRejected('name-taken')
  given([created()])
    .when(change(1, 'FEES'))
    .then([{ type: 'TemplateChanged', data: { templateId, name: 'FEES', text, formerName: name } }])
})

it(`there are at most ${limits.templates}`, () => {
  const all = Array.from({ length: limits.templates }, (_, n) => created(n, `Number ${n}`))
  given(all).when(create(200, 'One more')).thenRejected('too-many')
  given([...all, { type: 'TemplateDeleted', data: { templateId: idAt(0), name: 'Number 0' } }])
    .when(create(200, 'One more'))
    .then([created(200, 'One more')])
})

it('of two admins who change the same version, one wins', () => {
  given([created()]).when(change(1)).then([changed])
  given([created(), changed]).when(change(1)).thenRejected('changed')
  given([created(), changed]).when(change(2)).then([changed])
  given([created(), { type: 'TemplateUsed', data: used(0) }])
    .when(change(1))
    .then([changed])
})

it('a deleted template is not found, and its name is free', () => {
  const deleted: TemplateEvent = { type: 'TemplateDeleted', data: { templateId, name } }
  given([created()]).when(remove).then([deleted])
  for (const command of [remove, change(1), use(0)]) given([created(), deleted]).when(command).thenRejected('not-found')
  given([created(), deleted])
    .when(create(2, name))
    .then([created(2)])
})

it('uses of one admin within a minute are one', () => {
  const first: TemplateEvent = { type: 'TemplateUsed', data: used(0) }
  given([created()]).when(use(0)).then([first])
  given([created(), first]).when(use(59)).thenNothing()
  for (const again of [used(60), used(1, 2)])
    given([created(), first])
      .when({ type: 'UseTemplate', ...again })
      .then([{ type: 'TemplateUsed', data: again }])
})
