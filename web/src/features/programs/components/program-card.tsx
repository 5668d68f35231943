import type { Program } from '@portal/contracts/catalog/program'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'

type ProgramCardProps = {
  readonly program: Pick<Program, '_id' | 'programId' | 'programName' | 'semesterCount' | 'fee'>
  readonly to: string
}

/** A programme as the front of a course booklet. */
export const ProgramCard = ({ program, to }: ProgramCardProps) => (
  <Link to={to}>
    <Typography variant="h3">{program.programName}</Typography>
  </Link>
)
