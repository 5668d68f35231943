import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { socketEvents } from '@portal/contracts/notifications/socket'
import type { Template } from '@portal/contracts/notifications/templates'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { type DraftText, hasText, noButton, noTranslation, type SentText } from '../draft.ts'
import type { useDraft } from '../use-draft.ts'
import { useListChanged } from '../use-list-changed.ts'
import { NameDialog } from './name-dialog.tsx'
import { TemplateList } from './template-list.tsx'
import { useTemplates } from './use-templates.ts'

const Buttons = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const textOf = (template: Template): DraftText => {
  const { title, message, type, button = noButton, image = '', isUrgent, translation = noTranslation } = template
  return { title, message, type, button, image, isUrgent: isUrgent === true, translation }
}

type Shown =
  | { readonly kind: 'list' }
  | { readonly kind: 'rename'; readonly template: Template }
  | { readonly kind: 'delete'; readonly template: Template }
  | { readonly kind: 'save'; readonly text: SentText }

const subject = 'template'

type TemplatesMenuProps = { readonly draft: Pick<ReturnType<typeof useDraft>, 'form' | 'replaceText'> }

/** Two buttons: a text of a template into the form, and the text of the form into a template. */
export const TemplatesMenu = ({ draft: { form, replaceText } }: TemplatesMenuProps) => {
  const all = useTemplates()
  const toast = useToast()
  const [shown, setShown] = useState<Shown>()
  const [name, setName] = useState('')
  const close = () => setShown(undefined)
  const toList = () => setShown({ kind: 'list' })

  useListChanged(socketEvents.templatesChanged, shown !== undefined, () => void all.load())

  const open = (next: Shown) => {
    setShown(next)
    void all.load()
  }

  const use = (template: Template) => {
    const before = replaceText(textOf(template))
    const { name: used } = template
    setName(used)
    all.recordUse(template)
    close()
    const undo = hasText(before) ? { undo: { onUndo: () => void replaceText(before) } } : {}
    toast.success(`The text is that of “${used}”`, { subject, ...undo })
  }

  const save = async (text: SentText, as: string) => {
    const failure = await all.save(as, text)
    if (!failure) toast.success(`Saved as the template “${as}”`, { subject })
    return failure
  }

  const remove = async (template: Template) => {
    toList()
    const failure = await all.remove(template)
    if (failure) toast.error(failure.message, { subject })
    else toast.success(`The template “${template.name}” was deleted`, { subject })
  }

  return (
    <>
      <Buttons>
        <Button variant="outlined" color="secondary" aria-haspopup="dialog" onClick={() => open({ kind: 'list' })}>
          Use a template
        </Button>
        <Button
          variant="text"
          color="secondary"
          aria-haspopup="dialog"
          onClick={() => void form.handleSubmit((text) => open({ kind: 'save', text }))()}
        >
          Save as template
        </Button>
      </Buttons>
      <TemplateList
        isOpen={shown !== undefined && shown.kind !== 'save'}
        isCovered={shown?.kind === 'rename' || shown?.kind === 'delete'}
        templates={all.templates}
        error={all.error}
        onUse={use}
        onRename={(template) => setShown({ kind: 'rename', template })}
        onDelete={(template) => setShown({ kind: 'delete', template })}
        onClose={close}
      />
      {shown?.kind === 'rename' && (
        <NameDialog
          title="Rename the template"
          name={shown.template.name}
          onSave={(next) => all.rename(shown.template, next)}
          onClose={toList}
        />
      )}
      {shown?.kind === 'save' && (
        <NameDialog
          title="Save as template"
          name={name}
          replaces={(typed) => all.named(typed) !== undefined}
          onSave={(typed) => save(shown.text, typed)}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={shown?.kind === 'delete'}
        question={`Delete the template “${shown?.kind === 'delete' ? shown.template.name : ''}”?`}
        consequence="No admin can use it any more. What was sent with it stays."
        confirmText="Delete"
        destructive
        onConfirm={() => {
          if (shown?.kind === 'delete') void remove(shown.template)
        }}
        onCancel={toList}
      />
    </>
  )
}
