import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { toolBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useWatch } from 'react-hook-form'
import { useDebouncedValue } from '../../../../lib/use-debounced-value.ts'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { ToolLogo } from '../../components/tools.tsx'
import { countOf, EditableItem, EditableList, FormSection } from './form-section.tsx'
import type { ToolForm } from './program-values.ts'
import type { EditableParts, NewTool } from './use-parts.ts'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

const Actions = styled('div')(({ theme }) => ({ display: 'flex', alignItems: 'center', gap: theme.spacing(3) }))

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
  <FormSection title="Tools Management" count={countOf(toolkit.length, 'tool')}>
    {toolkit.length > 0 && (
      <EditableList>
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
      </EditableList>
    )}
    {toolkit.length < limits.toolsPerProgram ? (
      <AddTool form={form} onAdd={addTool} />
    ) : (
      <Typography variant="body2" color="textSecondary">
        A program can have at most {limits.toolsPerProgram} tools.
      </Typography>
    )}
  </FormSection>
)

/** The preview waits for a pause in typing, so that no partial address is requested. */
const previewAfterMs = 400

const previewOf = (address: string): string => toolBody.shape.logoUrl.safeParse(address).data ?? ''

type AddToolProps = { readonly form: ToolForm; readonly onAdd: (tool: NewTool) => Promise<boolean> }

const AddTool = ({ form, onAdd }: AddToolProps) => {
  const { field, errorOf, handleSubmit, reset, setFocus, formState } = form
  const [name, logoUrl] = useWatch({ control: form.control, name: ['name', 'logoUrl'] })
  const preview = useDebouncedValue(logoUrl, previewAfterMs)
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
        inputProps={{ maxLength: limits.addressChars }}
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
