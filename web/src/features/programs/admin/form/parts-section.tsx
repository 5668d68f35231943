import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { EditableItem, useCloseEditor } from './editable-item.tsx'
import { countOf, EditableList, FormSection } from './form-section.tsx'
import type { Step } from './row-changes.ts'
import type { EditableRows } from './use-parts.ts'

const PartForm = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

const PartActions = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(3),
}))

/** Called with whether the row's fields differ from the row, and with false when its editor closes. */
export type ReportEdit = (id: string, isChanged: boolean) => void

type Moved = { readonly name: string; readonly to: number }

type ShownRow = {
  readonly id: string
  /** What the buttons of the row change, for screen readers. */
  readonly name: string
  readonly picture: ReactNode
  readonly words: ReactNode
  /** The fields of the row, shown in its place. */
  readonly editor: ReactNode
}

type PartsSectionProps = {
  readonly title: string
  readonly part: 'tool' | 'fact'
  readonly rows: readonly ShownRow[]
  readonly actions: Pick<EditableRows<unknown>, 'move' | 'remove'>
  readonly most: number
  /** The form that adds one. */
  readonly add: ReactNode
}

/** The tools or the facts of a program, and a form that adds one until there are as many as a program can have. */
export const PartsSection = ({ title, part, rows, actions, most, add }: PartsSectionProps) => {
  const [lastMoved, setLastMoved] = useState<Moved | null>(null)
  const count = rows.length
  const items = rows.map(({ id, name, words, ...row }, index) => {
    const move = (by: Step) => {
      actions.move(id, by)
      setLastMoved({ name, to: index + by + 1 })
    }
    return (
      <EditableItem
        key={id}
        {...row}
        name={name}
        index={index}
        count={count}
        onRemove={() => actions.remove(id)}
        onMove={move}
      >
        {words}
      </EditableItem>
    )
  })
  return (
    <FormSection title={title} count={countOf(count, part)}>
      {count > 0 && <EditableList>{items}</EditableList>}
      <VisuallyHidden role="status">
        {lastMoved && `${lastMoved.name} moved to position ${lastMoved.to} of ${count}`}
      </VisuallyHidden>
      {count < most ? (
        add
      ) : (
        <Typography variant="body2" color="textSecondary">
          {`A program can have at most ${most} ${part}s.`}
        </Typography>
      )}
    </FormSection>
  )
}

type PartFormProps<Typed extends FieldValues, Fields extends FieldValues> = {
  readonly form: Pick<UseFormReturn<Typed, unknown, Fields>, 'handleSubmit' | 'reset' | 'setFocus'> & {
    readonly formState: { readonly isSubmitting: boolean; readonly isDirty: boolean }
  }
  readonly children: ReactNode
  /** Shown beside the buttons. */
  readonly preview?: ReactNode
}

type AddPartProps<Typed extends FieldValues, Fields extends FieldValues> = PartFormProps<Typed, Fields> & {
  readonly label: string
  readonly submitText: string
  /** The field that gets the focus after an addition. */
  readonly firstField: FieldPath<Typed>
  readonly onAdd: (fields: Fields) => Promise<boolean>
}

/** The form that adds a tool or a fact. */
export const AddPart = <Typed extends FieldValues, Fields extends FieldValues>(props: AddPartProps<Typed, Fields>) => {
  const { form, label, submitText, firstField, onAdd, children, preview } = props
  const { handleSubmit, reset, setFocus, formState } = form
  const add = handleSubmit(async (fields) => {
    if (!(await onAdd(fields))) return
    // Before the reset, which forgets the field until the next render.
    setFocus(firstField)
    reset()
  })
  return (
    <PartForm onSubmit={(event) => void add(event)} noValidate aria-label={label}>
      {children}
      <PartActions>
        <BusyButton type="submit" variant="outlined" color="secondary" busy={formState.isSubmitting}>
          {submitText}
        </BusyButton>
        {preview}
      </PartActions>
    </PartForm>
  )
}

type EditPartProps<Typed extends FieldValues, Fields extends FieldValues> = PartFormProps<Typed, Fields> & {
  readonly id: string
  readonly name: string
  readonly onEdit: ReportEdit
  readonly onApply: (id: string, fields: Fields) => void
}

/** The form that edits a tool or a fact in its row. */
export const EditPart = <Typed extends FieldValues, Fields extends FieldValues>(
  props: EditPartProps<Typed, Fields>,
) => {
  const { form, id, name, onEdit, onApply, children, preview } = props
  const close = useCloseEditor()
  const { isDirty } = form.formState
  useEffect(() => {
    onEdit(id, isDirty)
    return () => onEdit(id, false)
  }, [onEdit, id, isDirty])
  const apply = form.handleSubmit((fields) => {
    onApply(id, fields)
    close()
  })
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    close()
  }
  return (
    <PartForm onSubmit={(event) => void apply(event)} onKeyDown={closeOnEscape} noValidate aria-label={`Edit ${name}`}>
      {children}
      <PartActions>
        <Button type="submit" variant="outlined" color="secondary">
          Apply
        </Button>
        <Button variant="text" color="secondary" onClick={close}>
          Cancel
        </Button>
        {preview}
      </PartActions>
    </PartForm>
  )
}
