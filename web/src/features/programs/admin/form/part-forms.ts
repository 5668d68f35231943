import { factBody, toolBody } from '@portal/contracts/catalog/program'
import { useCheckedForm } from '../../../../lib/form.ts'

/** What is being typed for another tool and another fact. The whole form knows of it: it asks before it leaves any of it behind. */
export const usePartForms = () => {
  const tool = useCheckedForm(toolBody, { name: '', logoUrl: '' })
  const fact = useCheckedForm(factBody, { content: '', highlight: '', imageUrl: '' })
  const typed = [...(tool.formState.isDirty ? ['tool'] : []), ...(fact.formState.isDirty ? ['fact'] : [])]
  return { tool, fact, typed }
}

export type ToolForm = ReturnType<typeof usePartForms>['tool']
export type FactForm = ReturnType<typeof usePartForms>['fact']
