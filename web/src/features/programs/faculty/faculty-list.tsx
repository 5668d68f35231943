import { styled } from '@mui/material/styles'
import { faculty } from './faculty.ts'
import { Portrait } from './portrait.tsx'

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(4),
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .name': { ...theme.typography.subtitle1, margin: 0 },
  '& .post': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
}))

export const FacultyList = () => (
  <List>
    {faculty.map(({ name, designation, institution, image }) => (
      <li key={name}>
        <Portrait traits={image} />
        <div>
          <p className="name">{name}</p>
          <p className="post">{designation}</p>
          <p className="post">{institution}</p>
        </div>
      </li>
    ))}
  </List>
)
