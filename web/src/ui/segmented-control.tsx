import { styled } from '@mui/material/styles'
import { useId } from 'react'

const Group = styled('div')(({ theme }) => ({
  display: 'grid',
  gridAutoFlow: 'column',
  gridAutoColumns: '1fr',
  padding: 3,
  borderRadius: theme.portal.radii.control,
  border: `1px solid ${theme.vars.palette.portal.edge}`,
  background: theme.vars.palette.background.paper,
  '& input': { position: 'absolute', opacity: 0, inset: 0, margin: 0, cursor: 'pointer' },
  '& label': {
    ...theme.typography.subtitle2,
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    minHeight: 40,
    paddingInline: theme.spacing(3),
    borderRadius: 4,
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
  },
  '& label:has(:checked)': {
    color: theme.vars.palette.background.default,
    background: theme.vars.palette.text.primary,
  },
  '& label:has(:focus-visible)': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: 4 },
}))

type SegmentedControlProps<Value extends string> = {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly text: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A choice of one option, shown side by side: radio buttons to a keyboard and to a screen reader. */
export const SegmentedControl = <Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<Value>) => {
  const name = useId()
  return (
    <Group role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.text}
        </label>
      ))}
    </Group>
  )
}
