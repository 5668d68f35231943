import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { factBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useValidatedForm } from '../../../../lib/form.ts'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { languageOf } from '../../../../ui/text-language.ts'
import { TextField } from '../../../../ui/text-field.tsx'
import { FactPicture } from '../../components/program-facts.tsx'
import { EditableItem, useCloseEditor } from './editable-item.tsx'
import {
  onEscape,
  PartActions,
  PartForm,
  PartsSection,
  useMoveAnnouncement,
  useReportedEdit,
  type ReportEdit,
} from './parts-section.tsx'
import { PictureUpload } from './picture-upload.tsx'
import type { FactForm, FactPart } from './program-values.ts'
import type { EditableParts, NewFact } from './use-parts.ts'

const Thumbnail = styled(FactPicture)(({ theme }) => ({
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  objectFit: 'cover',
  borderRadius: theme.portal.radii.control,
}))

type FactsSectionProps = {
  readonly form: FactForm
  readonly parts: Pick<EditableParts, 'facts' | 'addFact' | 'removeFact' | 'editFact' | 'moveFact'>
  readonly onEdit: ReportEdit
}

export const FactsSection = ({ form, parts, onEdit }: FactsSectionProps) => {
  const { facts, addFact, removeFact, editFact, moveFact } = parts
  const { announce, text } = useMoveAnnouncement(facts.length)
  return (
    <PartsSection
      title="Facts Management"
      part="fact"
      count={facts.length}
      most={limits.factsPerProgram}
      add={<AddFact form={form} onAdd={addFact} />}
      announcement={text}
    >
      {facts.map((fact, index) => (
        <EditableItem
          key={fact._id}
          name={fact.content}
          index={index}
          count={facts.length}
          picture={fact.imageUrl === '' ? undefined : <Thumbnail url={fact.imageUrl} />}
          onRemove={() => removeFact(fact._id)}
          onMove={(by) => {
            moveFact(fact._id, by)
            announce({ name: fact.content, to: index + by + 1 })
          }}
          editor={<EditFact fact={fact} onEdit={onEdit} onApply={editFact} />}
        >
          {fact.highlight !== '' && (
            <Typography
              variant="h3"
              component="p"
              color="primary"
              lang={languageOf(fact.highlight)}
              sx={{ marginBottom: 1 }}
            >
              {fact.highlight}
            </Typography>
          )}
          <Typography variant="body2">{fact.content}</Typography>
        </EditableItem>
      ))}
    </PartsSection>
  )
}

const FactFields = ({
  form: { field, clearErrors, setError, setValue },
  autoFocus = false,
}: {
  form: FactForm
  autoFocus?: boolean
}) => (
  <>
    <TextField
      label="Fact content"
      multiline
      minRows={2}
      maxRows={8}
      autoFocus={autoFocus}
      inputProps={{ maxLength: limits.detailChars }}
      {...field('content')}
    />
    <TextField
      label="Highlight"
      hint="Optional, such as 80%"
      autoComplete="off"
      inputProps={{ maxLength: limits.shortTextChars }}
      {...field('highlight')}
    />
    <TextField
      label="Image URL"
      hint="Optional"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      inputProps={{ maxLength: limits.urlChars }}
      {...field('imageUrl')}
      endAdornment={
        <PictureUpload
          onUploaded={(url) => {
            clearErrors('imageUrl')
            setValue('imageUrl', url, { shouldDirty: true })
          }}
          onError={(message) => setError('imageUrl', { message })}
        />
      }
    />
  </>
)

type AddFactProps = { readonly form: FactForm; readonly onAdd: (fact: NewFact) => Promise<boolean> }

const AddFact = ({ form, onAdd }: AddFactProps) => {
  const { handleSubmit, reset, setFocus, formState } = form
  const add = handleSubmit(async (fact) => {
    if (!(await onAdd(fact))) return
    // Before the reset, which forgets the field until the next render.
    setFocus('content')
    reset()
  })
  return (
    <PartForm onSubmit={(event) => void add(event)} noValidate aria-label="Add a fact">
      <FactFields form={form} />
      <PartActions>
        <BusyButton type="submit" variant="outlined" color="secondary" busy={formState.isSubmitting}>
          Add Fact
        </BusyButton>
      </PartActions>
    </PartForm>
  )
}

type EditFactProps = {
  readonly fact: FactPart
  readonly onEdit: ReportEdit
  readonly onApply: (id: string, fact: NewFact) => void
}

const EditFact = ({ fact: { _id, ...values }, onEdit, onApply }: EditFactProps) => {
  const close = useCloseEditor()
  const form = useValidatedForm(factBody, values)
  useReportedEdit(onEdit, _id, form.formState.isDirty)
  const apply = form.handleSubmit((fact) => {
    onApply(_id, fact)
    close()
  })
  return (
    <PartForm
      onSubmit={(event) => void apply(event)}
      onKeyDown={onEscape(close)}
      noValidate
      aria-label={`Edit ${values.content}`}
    >
      <FactFields form={form} autoFocus />
      <PartActions>
        <Button type="submit" variant="outlined" color="secondary">
          Apply
        </Button>
        <Button variant="text" color="secondary" onClick={close}>
          Cancel
        </Button>
      </PartActions>
    </PartForm>
  )
}
