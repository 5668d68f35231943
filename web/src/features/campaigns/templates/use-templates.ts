import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  recordTemplateUse,
  type Template,
} from '@portal/contracts/notifications/templates'
import { nameKey } from '@portal/contracts/shared/name-key'
import { useState } from 'react'
import { call, type Failure } from '../../../lib/http.ts'
import { knownTranslation, type SentText } from '../draft.ts'

/** The text of a template as it is sent. */
const sentTextOf = ({ title, message, type, button, image, isUrgent, translation }: Template): SentText => ({
  title,
  message,
  type,
  ...(button && { button }),
  ...(image && { image }),
  ...(isUrgent && { isUrgent }),
  translation: knownTranslation(translation),
})

/** The templates of all admins, and what can be done with them. Changes resolve with their failure, if any. */
export const useTemplates = () => {
  const [templates, setTemplates] = useState<readonly Template[]>()
  const [error, setError] = useState<string>()

  const load = async () => {
    const answer = await call(listTemplates, {})
    if (answer.success) setTemplates(answer.data.templates)
    setError(answer.success ? undefined : answer.message)
  }

  /** What another admin has done meanwhile is shown with the failure. */
  const settle = async (answer: { readonly success: true } | Failure): Promise<Failure | undefined> => {
    if (answer.success || answer.code === 'conflict' || answer.code === 'not-found') await load()
    return answer.success ? undefined : answer
  }

  const named = (name: string) => templates?.find((template) => nameKey(template.name) === nameKey(name))

  return {
    templates,
    error,
    load,
    named,
    /** Replaces the template with that name, if there is one. */
    save: async (name: string, text: SentText) => {
      const known = named(name)
      const body = { name, ...text }
      if (!known) return settle(await call(createTemplate, { body }))
      const { _id: id, version } = known
      return settle(await call(changeTemplate, { params: { id }, body: { ...body, version } }))
    },
    rename: async (template: Template, name: string) => {
      const { _id: id, version } = template
      const body = { name, ...sentTextOf(template), version }
      return settle(await call(changeTemplate, { params: { id }, body }))
    },
    remove: async ({ _id: id }: Template) => settle(await call(deleteTemplate, { params: { id } })),
    /** Nobody waits for it. */
    recordUse: ({ _id: id }: Template) => void call(recordTemplateUse, { params: { id }, outlivesPage: true }),
  }
}
export type Templates = ReturnType<typeof useTemplates>
