import type { Template } from '@portal/contracts/notifications/templates'
import { templateIdSchema } from '@portal/contracts/shared/ids'
import { ok, problem } from '../../../testing/fake-portal.ts'
import type { FakeServer } from '../../../testing/fake-server.ts'

export const aTemplate = (n: number, more: Partial<Template> = {}): Template => ({
  _id: templateIdSchema.parse(`01920000-0000-7000-8000-${String(n).padStart(12, '0')}`),
  name: `Template ${n}`,
  title: `Title ${n}`,
  message: `Message ${n}`,
  type: 'Exam',
  version: 1,
  ...more,
})

const byName = (a: Template, b: Template) => a.name.localeCompare(b.name)

/** A server with templates, as services/notifications/src/template keeps them. */
export const serveTemplates = (server: FakeServer, given: readonly Template[] = []) => {
  const templates = new Map(given.map((template) => [template._id, template]))
  const used: string[] = []
  const idOf = (call: string) => templateIdSchema.parse(call.split('/')[3])
  const isTaken = (name: string, except?: string) =>
    [...templates.values()].some(({ _id, name: known }) => _id !== except && known.toLowerCase() === name.toLowerCase())
  const taken = problem(409, 'conflict', 'A template with this name exists')

  server.on('GET /notifications/templates', () => ok({ templates: [...templates.values()].toSorted(byName) }))
  server.on('POST /notifications/templates', ({ body }) => {
    const template = aTemplate(100 + templates.size, Object(body))
    if (isTaken(template.name)) return taken
    templates.set(template._id, template)
    return ok({ template })
  })
  server.onMatch(/^PUT \/notifications\/templates\/./, ({ call, body }) => {
    const id = idOf(call)
    const known = templates.get(id)
    if (!known) return problem(404, 'not-found', 'Template not found')
    const { version, ...fields } = Object(body)
    if (version !== known.version) return problem(409, 'conflict', 'Another admin has changed this template')
    if (isTaken(fields.name, id)) return taken
    const template = { ...known, ...fields, version: version + 1 }
    templates.set(id, template)
    return ok({ template })
  })
  server.onMatch(/^DELETE \/notifications\/templates\/./, ({ call }) =>
    templates.delete(idOf(call)) ? ok({}) : problem(404, 'not-found', 'Template not found'),
  )
  server.onMatch(/^POST \/notifications\/templates\/.+\/use$/, ({ call }) => {
    used.push(idOf(call))
    return ok({})
  })

  return {
    used,
    named: (name: string) => [...templates.values()].find((template) => template.name === name),
    names: () => [...templates.values()].toSorted(byName).map(({ name }) => name),
    /** Another admin. */
    put: (template: Template) => void templates.set(template._id, template),
    remove: (template: Template) => void templates.delete(template._id),
  }
}
