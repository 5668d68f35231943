import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { Code } from './shown-key.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(3),
}))

const command = (origin: string): string => `curl ${origin}/notifications/send \\
  -H "Authorization: Bearer $PORTAL_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  --json '{"audience":{"everyone":true},"title":"Exam schedule","message":"The AI exam is on December 12."}'`

/** How a program uses a key. */
export const ApiKeyExample = () => (
  <Section aria-labelledby="example-heading">
    <Typography variant="h2" id="example-heading">
      Example
    </Typography>
    <Typography>This sends a notification to everyone. The same Idempotency-Key again sends nothing more.</Typography>
    <Code>{command(window.location.origin)}</Code>
    <Typography color="textSecondary">A key sends at most 60 notifications a minute.</Typography>
  </Section>
)
