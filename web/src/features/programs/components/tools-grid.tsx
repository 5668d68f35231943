import { styled } from '@mui/material/styles'
import type { Tool } from '@portal/contracts/catalog/program'
import { ToolLogo } from './tool-logo.tsx'

const Grid = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(76px, 1fr))',
  gap: theme.spacing(5, 2),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& li': {
    ...theme.typography.caption,
    display: 'grid',
    justifyItems: 'center',
    alignContent: 'start',
    gap: theme.spacing(2),
    textAlign: 'center',
    fontWeight: 500,
    overflowWrap: 'anywhere',
  },
}))

export const ToolsGrid = ({ tools }: { tools: readonly Tool[] }) => (
  <Grid>
    {tools.map((tool) => (
      <li key={tool._id}>
        <ToolLogo tool={tool} />
        {tool.name}
      </li>
    ))}
  </Grid>
)
