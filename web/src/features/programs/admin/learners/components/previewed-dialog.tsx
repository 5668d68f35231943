import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { FormDialog } from '../../../../../ui/form-dialog.tsx'
import type { Fates } from '../api.ts'
import type { usePreviewedChange } from '../use-previewed-change.ts'
import { FateList } from './fate-list.tsx'

type PreviewedDialogProps = Pick<ComponentProps<typeof FateList>, 'describe' | 'leftOut'> & {
  readonly title: string
  readonly consequence?: ReactNode
  /** What is the same for all rows of the preview. */
  readonly summary?: ReactNode
  readonly change: Omit<ReturnType<typeof usePreviewedChange<object, Fates>>, 'preview'>
  /** While the source of the preview is read. */
  readonly isReading?: boolean
  /** 'Confirm 3 payments'. */
  readonly confirmText: (count: number) => string
  readonly onPreview: (event: FormEvent) => void
  readonly onClose: () => void
  /** Whether a field shows why the request was refused. */
  readonly hasFieldError?: boolean
  /** The fields. */
  readonly children: ReactNode
}

const submitTextOf = (
  { step, fates }: PreviewedDialogProps['change'],
  confirmText: (count: number) => string,
): string => {
  if (step === 'fields') return 'Preview'
  if (step === 'done') return 'Close'
  return fates && fates.changed > 0 ? confirmText(fates.changed) : 'Back'
}

/** Fields, then the preview of what they do, then what was done if that is something else. */
export const PreviewedDialog = (props: PreviewedDialogProps) => {
  const { title, consequence, change, isReading = false, confirmText, onPreview, onClose, children } = props
  const { summary, describe, leftOut, hasFieldError = false } = props
  const { step, fates, busy, failure } = change
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step === 'fields') return onPreview(event)
    if (step === 'done') return onClose()
    return fates && fates.changed > 0 ? void change.confirm() : change.back()
  }
  return (
    <FormDialog
      title={title}
      consequence={step === 'fields' ? consequence : summary}
      submitText={submitTextOf(change, confirmText)}
      cancelText={step === 'preview' ? 'Back' : 'Cancel'}
      hasCancel={step === 'fields' || (step === 'preview' && fates !== undefined && fates.changed > 0)}
      busy={busy || isReading}
      failure={hasFieldError ? undefined : failure?.message}
      onSubmit={submit}
      onCancel={step === 'preview' ? change.back : onClose}
    >
      {step === 'fields' ? (
        children
      ) : (
        <FateList
          key={step}
          rows={fates?.rows ?? []}
          tense={step}
          describe={describe}
          {...(leftOut && step === 'preview' && { leftOut })}
        />
      )}
    </FormDialog>
  )
}
