import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { toolBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useState, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { FactPicture } from '../../components/program-facts.tsx'
import { ToolLogo } from '../../components/tools.tsx'
import { countOf, EditableItem, EditableList, FormSection } from './form-section.tsx'
import type { FactForm, ToolForm } from './program-values.ts'
import type { EditableParts, NewFact, NewTool } from './use-parts.ts'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

const Actions = styled('div')(({ theme }) => ({ display: 'flex', alignItems: 'center', gap: theme.spacing(3) }))

type PartsSectionProps = {
  readonly title: string
  readonly part: 'tool' | 'fact'
  readonly count: number
  readonly most: number
  /** The form that adds one. */
  readonly add: ReactNode
  readonly children: ReactNode
}

/** The tools or the facts of a program, and a form that adds one until there are as many as a program can have. */
const PartsSection = ({ title, part, count, most, add, children }: PartsSectionProps) => (
  <FormSection title={title} count={countOf(count, part)}>
    {count > 0 && <EditableList>{children}</EditableList>}
    {count < most ? (
      add
    ) : (
      <Typography variant="body2" color="textSecondary">
        A program can have at most {most} {part}s.
      </Typography>
    )}
  </FormSection>
)

const Address = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'block',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  color: theme.vars.palette.text.secondary,
}))

type ToolsSectionProps = {
  readonly form: ToolForm
  readonly parts: Pick<EditableParts, 'toolkit' | 'addTool' | 'removeTool'>
}

export const ToolsSection = ({ form, parts: { toolkit, addTool, removeTool } }: ToolsSectionProps) => (
  <PartsSection
    title="Tools Management"
    part="tool"
    count={toolkit.length}
    most={limits.toolsPerProgram}
    add={<AddTool form={form} onAdd={addTool} />}
  >
    {toolkit.map(({ _id, name, logoUrl }) => (
      <EditableItem
        key={_id}
        name={name}
        picture={<ToolLogo size="small" tool={{ name, logoUrl }} />}
        onRemove={() => removeTool(_id)}
      >
        <Typography variant="subtitle2" component="span">
          {name}
        </Typography>
        <Address>{logoUrl}</Address>
      </EditableItem>
    ))}
  </PartsSection>
)

/** The text as it was when it last stayed unchanged for `delayMs`. */
const useDebouncedText = (text: string, delayMs: number): string => {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return debounced
}

/** The preview waits for a pause in typing, so that no partial address is requested. */
const previewAfterMs = 400

const previewOf = (address: string): string => toolBody.shape.logoUrl.safeParse(address).data ?? ''

type AddToolProps = { readonly form: ToolForm; readonly onAdd: (tool: NewTool) => Promise<boolean> }

const AddTool = ({ form, onAdd }: AddToolProps) => {
  const { field, errorOf, handleSubmit, reset, setFocus, formState } = form
  const [name, logoUrl] = useWatch({ control: form.control, name: ['name', 'logoUrl'] })
  const preview = useDebouncedText(logoUrl, previewAfterMs)
  const shownUrl = logoUrl === '' ? '' : previewOf(preview)
  const add = handleSubmit(async (tool) => {
    if (!(await onAdd(tool))) return
    reset()
    setFocus('name')
  })
  const nameError = errorOf('name')
  const { error: urlError, ...urlField } = field('logoUrl', { clears: ['name'] })
  return (
    <Form onSubmit={(event) => void add(event)} noValidate aria-label="Add a tool">
      <TextField
        label="Tool name"
        autoComplete="off"
        inputProps={{ maxLength: limits.nameChars }}
        {...field('name', { clears: ['logoUrl'] })}
      />
      <TextField
        label="Logo URL"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        inputProps={{ maxLength: limits.urlChars }}
        {...urlField}
        // One message about both fields is shown once.
        error={urlError === nameError ? undefined : urlError}
      />
      <Actions>
        <BusyButton type="submit" variant="outlined" color="secondary" busy={formState.isSubmitting}>
          Add Tool
        </BusyButton>
        {(name.trim() !== '' || shownUrl !== '') && <ToolLogo size="small" tool={{ name, logoUrl: shownUrl }} />}
      </Actions>
    </Form>
  )
}

const Thumbnail = styled(FactPicture)(({ theme }) => ({
  width: theme.portal.sizes.target,
  height: theme.portal.sizes.target,
  objectFit: 'cover',
  borderRadius: theme.portal.radii.control,
}))

type FactsSectionProps = {
  readonly form: FactForm
  readonly parts: Pick<EditableParts, 'facts' | 'addFact' | 'removeFact'>
}

export const FactsSection = ({ form, parts: { facts, addFact, removeFact } }: FactsSectionProps) => (
  <PartsSection
    title="Facts Management"
    part="fact"
    count={facts.length}
    most={limits.factsPerProgram}
    add={<AddFact form={form} onAdd={addFact} />}
  >
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
  </PartsSection>
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
      <TextField
        label="Fact content"
        multiline
        minRows={2}
        maxRows={8}
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
      />
      <Actions>
        <BusyButton type="submit" variant="outlined" color="secondary" busy={formState.isSubmitting}>
          Add Fact
        </BusyButton>
      </Actions>
    </Form>
  )
}
