import Typography from '@mui/material/Typography'
import { styled, useColorScheme } from '@mui/material/styles'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'

const Section = styled('section')(({ theme }) => ({ display: 'grid', gap: theme.spacing(2) }))

const options = [
  { value: 'system', text: 'Automatic' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const

export const Appearance = () => {
  const { mode, setMode } = useColorScheme()
  return (
    <Section>
      <Typography variant="subtitle2" component="h2">
        Appearance
      </Typography>
      <SegmentedControl label="Appearance" options={options} value={mode ?? 'system'} onChange={setMode} />
    </Section>
  )
}
