import { styled, useColorScheme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

const Options = styled('div')(({ theme }) => ({
  display: 'grid',
  gridAutoFlow: 'column',
  gridAutoColumns: '1fr',
  padding: 3,
  borderRadius: theme.portal.radii.control,
  border: `1px solid ${theme.vars.palette.portal.edge}`,
  background: theme.vars.palette.background.paper,
  '& input': { position: 'absolute', opacity: 0, inset: 0, margin: 0, cursor: 'pointer' },
  '& label': { position: 'relative' },
  '& span': {
    ...theme.typography.subtitle2,
    display: 'grid',
    placeItems: 'center',
    minHeight: 40,
    paddingInline: theme.spacing(3),
    borderRadius: 4,
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
  },
  '& :checked + span': {
    color: theme.vars.palette.background.default,
    background: theme.vars.palette.text.primary,
  },
  '& :focus-visible + span': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: 4 },
}))

const Section = styled('section')(({ theme }) => ({ display: 'grid', gap: theme.spacing(2) }))

const options = [
  { value: 'system', text: 'Automatic' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const

/** Three radio buttons side by side. */
export const Appearance = () => {
  const { mode, setMode } = useColorScheme()
  const name = useId()
  return (
    <Section>
      <Typography variant="subtitle2" component="h2">
        Appearance
      </Typography>
      <Options role="radiogroup" aria-label="Appearance">
        {options.map(({ value, text }) => (
          <label key={value}>
            <input type="radio" name={name} checked={value === (mode ?? 'system')} onChange={() => setMode(value)} />
            <span>{text}</span>
          </label>
        ))}
      </Options>
    </Section>
  )
}
