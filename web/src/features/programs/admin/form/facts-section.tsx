import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { factBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useValidatedForm } from '../../../../lib/form.ts'
import { languageOf } from '../../../../ui/text-language.ts'
import { OptionalPicture } from '../../../../ui/optional-picture.tsx'
import { PictureUpload } from '../../../../ui/picture-upload.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { AddPart, EditPart, PartsSection, type ReportEdit } from './parts-section.tsx'
import type { FactForm, FactPart } from './program-values.ts'
import type { EditableRows, NewFact } from './use-parts.ts'

const Thumbnail = styled(OptionalPicture)(({ theme }) => ({
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  objectFit: 'cover',
  borderRadius: theme.portal.radii.control,
}))

type FactsSectionProps = {
  readonly form: FactForm
  readonly facts: EditableRows<NewFact>
  readonly onEdit: ReportEdit
}

export const FactsSection = ({ form, facts, onEdit }: FactsSectionProps) => (
  <PartsSection
    title="Facts Management"
    part="fact"
    actions={facts}
    most={limits.factsPerProgram}
    add={
      <AddPart form={form} label="Add a fact" submitText="Add Fact" firstField="content" onAdd={facts.add}>
        <FactFields form={form} />
      </AddPart>
    }
    rows={facts.rows.map((fact) => ({
      id: fact._id,
      name: fact.content,
      picture: fact.imageUrl !== '' && <Thumbnail url={fact.imageUrl} />,
      words: (
        <>
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
        </>
      ),
      editor: <EditFact fact={fact} onEdit={onEdit} onApply={facts.edit} />,
    }))}
  />
)

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

type EditFactProps = {
  readonly fact: FactPart
  readonly onEdit: ReportEdit
  readonly onApply: EditableRows<NewFact>['edit']
}

const EditFact = ({ fact: { _id, ...values }, onEdit, onApply }: EditFactProps) => {
  const form = useValidatedForm(factBody, values)
  return (
    <EditPart form={form} id={_id} name={values.content} onEdit={onEdit} onApply={onApply}>
      <FactFields form={form} autoFocus />
    </EditPart>
  )
}
