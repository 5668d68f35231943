import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { toolBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useValidatedForm } from '../../../../lib/form.ts'
import { ToolLogo } from '../../components/tools.tsx'
import type { KnownTools } from './known-tools.ts'
import { AddPart, EditPart, PartsSection, type ReportEdit } from './parts-section.tsx'
import type { ToolForm, ToolPart } from './program-values.ts'
import { ToolFields, TypedLogo } from './tool-fields.tsx'
import type { EditableRows, NewTool } from './use-parts.ts'

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
  readonly tools: EditableRows<NewTool>
  readonly onEdit: ReportEdit
}

export const ToolsSection = ({ form, known, tools, onEdit }: ToolsSectionProps) => (
  <PartsSection
    title="Tools Management"
    part="tool"
    actions={tools}
    most={limits.toolsPerProgram}
    add={
      <AddPart
        form={form}
        label="Add a tool"
        submitText="Add Tool"
        firstField="name"
        onAdd={tools.add}
        preview={<TypedLogo form={form} />}
      >
        <ToolFields form={form} known={known} />
      </AddPart>
    }
    rows={tools.rows.map((tool) => ({
      id: tool._id,
      name: tool.name,
      picture: <ToolLogo size="small" tool={tool} />,
      words: (
        <>
          <Typography variant="subtitle2" component="span">
            {tool.name}
          </Typography>
          <Address>{tool.logoUrl}</Address>
        </>
      ),
      editor: <EditTool tool={tool} known={known} onEdit={onEdit} onApply={tools.edit} />,
    }))}
  />
)

type EditToolProps = {
  readonly tool: ToolPart
  readonly known: KnownTools
  readonly onEdit: ReportEdit
  readonly onApply: EditableRows<NewTool>['edit']
}

const EditTool = ({ tool: { _id, name, logoUrl }, known, onEdit, onApply }: EditToolProps) => {
  const form = useValidatedForm(toolBody, { name, logoUrl })
  return (
    <EditPart form={form} id={_id} name={name} onEdit={onEdit} onApply={onApply} preview={<TypedLogo form={form} />}>
      <ToolFields form={form} known={known} autoFocus />
    </EditPart>
  )
}
