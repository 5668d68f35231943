import { useWatch } from 'react-hook-form'
import { TextField, type TextFieldProps } from '../../../ui/text-field.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import type { useDraft } from '../use-draft.ts'

/** Characters that phones show of a push before they cut it. */
const shownInPush = { title: 50, message: 150, 'translation.title': 50, 'translation.message': 150 } as const

/** The part of the visible length from which the count is shown. */
const countFrom = 0.8

type PushTextFieldProps = Omit<TextFieldProps, 'form' | 'name'> & {
  readonly form: ReturnType<typeof useDraft>['form']
  readonly name: keyof typeof shownInPush
}

/** A text of the notification. Says how much of it a push shows when that length is near. */
export const PushTextField = ({ form, name, ...rest }: PushTextFieldProps) => {
  const { length } = useWatch({ control: form.control, name }) ?? ''
  const shown = shownInPush[name]
  // Only the constant text is announced, not each keystroke.
  const hint = length >= countFrom * shown && (
    <>
      <VisuallyHidden>{`A push shows about ${shown} characters.`}</VisuallyHidden>
      <span aria-hidden="true">{`${length} characters. A push shows about ${shown}.`}</span>
    </>
  )
  return <TextField {...rest} {...form.field(name)} hint={hint || undefined} />
}
