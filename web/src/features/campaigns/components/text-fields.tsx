import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { placeholderNames, placeholderOf, type PlaceholderName } from '@portal/contracts/notifications/placeholders'
import { useId, useRef } from 'react'
import type { useDraft } from '../use-draft.ts'
import { PushTextField } from './push-text-field.tsx'
import { TranslationFields } from './translation-fields.tsx'

const Fields = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5), '& > *': { minWidth: 0 } }))

const Insert = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: theme.spacing(1),
  marginTop: theme.spacing(-4),
  // Narrow, so that all are in one line on a phone.
  '& button': { minHeight: theme.portal.sizes.target, minWidth: 0, paddingInline: theme.spacing(2) },
}))

const labels: Readonly<Record<PlaceholderName, string>> = {
  name: 'Their name',
  program: 'Their program',
  code: 'Their code',
}

type TypedField = HTMLInputElement | HTMLTextAreaElement

const asTypedField = (target: EventTarget | null | undefined): TypedField | undefined =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined

const names = ['title', 'message', 'translation.title', 'translation.message'] as const

type TextFieldsProps = {
  readonly form: ReturnType<typeof useDraft>['form']
  /** Another one is another draft. */
  readonly round: number
}

/** Title and message, with buttons that insert a placeholder where the caret is or was: in the message at first. */
export const TextFields = ({ form, round }: TextFieldsProps) => {
  const fields = useRef<HTMLDivElement>(null)
  const lastField = useRef<TypedField>(undefined)
  const nameId = useId()
  /** Replaces the selection, as typing does, and leaves the caret behind it. */
  const insert = (placeholder: PlaceholderName) => {
    const field = lastField.current ?? asTypedField(fields.current?.querySelector('[name="message"]'))
    if (!field) return
    const { value, selectionStart, selectionEnd } = field
    const before = `${value.slice(0, selectionStart ?? value.length)}${placeholderOf(placeholder)}`
    const key = names.find((name) => name === field.name) ?? 'message'
    form.setValue(key, `${before}${value.slice(selectionEnd ?? value.length)}`)
    form.clearErrors(key)
    field.focus()
    field.setSelectionRange(before.length, before.length)
  }
  return (
    <Fields
      ref={fields}
      onFocus={({ target }) => {
        lastField.current = asTypedField(target) ?? lastField.current
      }}
    >
      <PushTextField form={form} name="title" label="Title" required autoComplete="off" />
      <PushTextField form={form} name="message" label="Message" required multiline minRows={3} maxRows={10} />
      <Insert role="group" aria-labelledby={nameId}>
        <Typography id={nameId} variant="body2" color="textSecondary">
          Insert
        </Typography>
        {placeholderNames.map((name) => (
          <Button
            key={name}
            variant="text"
            color="secondary"
            size="small"
            // Keeps the focus and the caret in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insert(name)}
          >
            <span>{labels[name]}</span>
          </Button>
        ))}
      </Insert>
      <TranslationFields key={round} form={form} />
    </Fields>
  )
}
