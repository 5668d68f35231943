import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { toolBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useValidatedForm } from '../../../../lib/form.ts'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { ToolLogo } from '../../components/tools.tsx'
import { EditableItem, useCloseEditor } from './editable-item.tsx'
import type { KnownTools } from './known-tools.ts'
import {
  onEscape,
  PartActions,
  PartForm,
  PartsSection,
  useMoveAnnouncement,
  useReportedEdit,
  type ReportEdit,
} from './parts-section.tsx'
import type { ToolForm, ToolPart } from './program-values.ts'
import { ToolFields, TypedLogo } from './tool-fields.tsx'
import type { EditableParts, NewTool } from './use-parts.ts'

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
  readonly known: KnownTools
  readonly parts: Pick<EditableParts, 'toolkit' | 'addTool' | 'removeTool' | 'editTool' | 'moveTool'>
  readonly onEdit: ReportEdit
}

export const ToolsSection = ({ form, known, parts, onEdit }: ToolsSectionProps) => {
  const { toolkit, addTool, removeTool, editTool, moveTool } = parts
  const { announce, text } = useMoveAnnouncement(toolkit.length)
  return (
    <PartsSection
      title="Tools Management"
      part="tool"
      count={toolkit.length}
      most={limits.toolsPerProgram}
      add={<AddTool form={form} known={known} onAdd={addTool} />}
      announcement={text}
    >
      {toolkit.map((tool, index) => (
        <EditableItem
          key={tool._id}
          name={tool.name}
          index={index}
          count={toolkit.length}
          picture={<ToolLogo size="small" tool={tool} />}
          onRemove={() => removeTool(tool._id)}
          onMove={(by) => {
            moveTool(tool._id, by)
            announce({ name: tool.name, to: index + by + 1 })
          }}
          editor={<EditTool tool={tool} known={known} onEdit={onEdit} onApply={editTool} />}
        >
          <Typography variant="subtitle2" component="span">
            {tool.name}
          </Typography>
          <Address>{tool.logoUrl}</Address>
        </EditableItem>
      ))}
    </PartsSection>
  )
}

type AddToolProps = {
  readonly form: ToolForm
  readonly known: KnownTools
  readonly onAdd: (tool: NewTool) => Promise<boolean>
}

const AddTool = ({ form, known, onAdd }: AddToolProps) => {
  const { handleSubmit, reset, setFocus, formState } = form
  const add = handleSubmit(async (tool) => {
    if (!(await onAdd(tool))) return
    // Before the reset, which forgets the field until the next render.
    setFocus('name')
    reset()
  })
  return (
    <PartForm onSubmit={(event) => void add(event)} noValidate aria-label="Add a tool">
      <ToolFields form={form} known={known} />
      <PartActions>
        <BusyButton type="submit" variant="outlined" color="secondary" busy={formState.isSubmitting}>
          Add Tool
        </BusyButton>
        <TypedLogo form={form} />
      </PartActions>
    </PartForm>
  )
}

type EditToolProps = {
  readonly tool: ToolPart
  readonly known: KnownTools
  readonly onEdit: ReportEdit
  readonly onApply: (id: string, tool: NewTool) => void
}

const EditTool = ({ tool: { _id, name, logoUrl }, known, onEdit, onApply }: EditToolProps) => {
  const close = useCloseEditor()
  const form = useValidatedForm(toolBody, { name, logoUrl })
  useReportedEdit(onEdit, _id, form.formState.isDirty)
  const apply = form.handleSubmit((tool) => {
    onApply(_id, tool)
    close()
  })
  return (
    <PartForm
      onSubmit={(event) => void apply(event)}
      onKeyDown={onEscape(close)}
      noValidate
      aria-label={`Edit ${name}`}
    >
      <ToolFields form={form} known={known} autoFocus />
      <PartActions>
        <Button type="submit" variant="outlined" color="secondary">
          Apply
        </Button>
        <Button variant="text" color="secondary" onClick={close}>
          Cancel
        </Button>
        <TypedLogo form={form} />
      </PartActions>
    </PartForm>
  )
}
