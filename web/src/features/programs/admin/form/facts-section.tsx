import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { factBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useCheckedForm } from '../../../../lib/form.ts'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { FactPicture } from '../../components/fact-picture.tsx'
import { FormSection } from './form-section.tsx'
import { Part, PartList } from './part-list.tsx'
import type { EditableParts, NewFact } from './use-parts.ts'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4), justifyItems: 'start' }))

const Thumbnail = styled(FactPicture)(({ theme }) => ({
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  objectFit: 'cover',
  borderRadius: theme.portal.radii.control,
}))

const Row = styled('div')({ width: '100%' })

const countText = (count: number): string => {
  if (count === 0) return 'No facts'
  return count === 1 ? '1 fact' : `${count} facts`
}

type FactsSectionProps = { readonly parts: Pick<EditableParts, 'facts' | 'addFact' | 'removeFact'> }

export const FactsSection = ({ parts: { facts, addFact, removeFact } }: FactsSectionProps) => (
  <FormSection title="Facts Management" count={countText(facts.length)}>
    {facts.length > 0 && (
      <PartList>
        {facts.map(({ _id, content, highlight, imageUrl }) => (
          <Part
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
          </Part>
        ))}
      </PartList>
    )}
    {facts.length < limits.factsPerProgram ? (
      <AddFact onAdd={addFact} />
    ) : (
      <Typography variant="body2" color="textSecondary">
        A program can have at most {limits.factsPerProgram} facts.
      </Typography>
    )}
  </FormSection>
)

const AddFact = ({ onAdd }: { readonly onAdd: (fact: NewFact) => Promise<boolean> }) => {
  const { field, handleSubmit, reset, setFocus, formState } = useCheckedForm(factBody, {
    content: '',
    highlight: '',
    imageUrl: '',
  })
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
