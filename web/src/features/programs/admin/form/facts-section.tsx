import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { FactPicture } from '../../components/program-facts.tsx'
import { countOf, EditableItem, EditableList, FormSection } from './form-section.tsx'
import type { FactForm } from './program-values.ts'
import type { EditableParts, NewFact } from './use-parts.ts'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4), justifyItems: 'start' }))

const Thumbnail = styled(FactPicture)(({ theme }) => ({
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  objectFit: 'cover',
  borderRadius: theme.portal.radii.control,
}))

const Row = styled('div')({ width: '100%' })

type FactsSectionProps = {
  readonly form: FactForm
  readonly parts: Pick<EditableParts, 'facts' | 'addFact' | 'removeFact'>
}

export const FactsSection = ({ form, parts: { facts, addFact, removeFact } }: FactsSectionProps) => (
  <FormSection title="Facts Management" count={countOf(facts.length, 'fact')}>
    {facts.length > 0 && (
      <EditableList>
        {facts.map(({ _id, content, highlight, imageUrl }) => (
          <EditableItem
            key={_id}
            name={content}
            picture={imageUrl === '' ? undefined : <Thumbnail url={imageUrl} />}
            onRemove={() => removeFact(_id)}
          >
            {highlight !== '' && (
              <Typography variant="h3" component="p" color="primary">
                {highlight}
              </Typography>
            )}
            <Typography variant="body2">{content}</Typography>
          </EditableItem>
        ))}
      </EditableList>
    )}
    {facts.length < limits.factsPerProgram ? (
      <AddFact form={form} onAdd={addFact} />
    ) : (
      <Typography variant="body2" color="textSecondary">
        A program can have at most {limits.factsPerProgram} facts.
      </Typography>
    )}
  </FormSection>
)

type AddFactProps = { readonly form: FactForm; readonly onAdd: (fact: NewFact) => Promise<boolean> }

const AddFact = ({ form, onAdd }: AddFactProps) => {
  const { field, handleSubmit, reset, setFocus, formState } = form
  const add = handleSubmit(async (fact) => {
    if (!(await onAdd(fact))) return
    reset()
    setFocus('content')
  })
  return (
    <Form onSubmit={(event) => void add(event)} noValidate aria-label="Add a fact">
      <Row>
        <TextField
          label="Fact content"
          multiline
          minRows={2}
          maxRows={8}
          inputProps={{ maxLength: limits.detailChars }}
          {...field('content')}
        />
      </Row>
      <Row>
        <TextField
          label="Highlight"
          hint="Optional, such as 80%"
          autoComplete="off"
          inputProps={{ maxLength: limits.shortTextChars }}
          {...field('highlight')}
        />
      </Row>
      <Row>
        <TextField
          label="Image URL"
          hint="Optional"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          inputProps={{ maxLength: limits.addressChars }}
          {...field('imageUrl')}
        />
      </Row>
      <BusyButton type="submit" variant="outlined" color="secondary" busy={formState.isSubmitting}>
        Add Fact
      </BusyButton>
    </Form>
  )
}
