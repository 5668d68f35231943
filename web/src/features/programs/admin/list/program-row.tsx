import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { Link } from 'react-router-dom'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { toolCount } from './program-columns.ts'

const Name = styled('td')(({ theme }) => ({
  '& .name': { ...theme.typography.subtitle1, display: 'block' },
  '& .code': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.text.secondary },
}))

const Quiet = styled('span')(({ theme }) => ({ color: theme.vars.palette.text.secondary }))

type ProgramRowProps = { readonly program: Program; readonly onDelete: (program: Program) => void }

export const ProgramRow = ({ program, onDelete }: ProgramRowProps) => {
  const { _id, programName, programId, semesterCount, fee } = program
  const tools = toolCount(program)
  return (
    <tr role="row">
      <Name role="cell">
        <span className="name">{programName}</span>
        <span className="code">{programId}</span>
      </Name>
      <td role="cell" className="short" data-label="Semesters">
        {semesterCount}
      </td>
      <td role="cell" data-label="Fee">
        {fee === '' ? <Quiet>–</Quiet> : fee}
      </td>
      <td role="cell" className="short" data-label="Tools">
        {program.toolkit.length === 0 ? <Quiet>{tools}</Quiet> : tools}
      </td>
      <td role="cell" className="actions">
        <Button component={Link} to={`/admin/programs/edit/${_id}`} variant="text" color="secondary">
          Edit<VisuallyHidden> {programName}</VisuallyHidden>
        </Button>
        <Button variant="text" color="error" onClick={() => onDelete(program)}>
          Delete<VisuallyHidden> {programName}</VisuallyHidden>
        </Button>
      </td>
    </tr>
  )
}
