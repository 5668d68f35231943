import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'

const Frame = styled('div')(({ theme }) => ({
  display: 'inline-flex',
  flex: 'none',
  // No border: it would make the segments smaller than a target for a thumb.
  outline: `1px solid ${theme.vars.palette.divider}`,
  outlineOffset: -1,
  borderRadius: theme.portal.radii.control,
}))

const Segment = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.subtitle2,
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(1, 3),
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary },
  '&[aria-pressed="true"]': {
    background: theme.vars.palette.portal.accentSoft,
    color: theme.vars.palette.text.primary,
  },
}))

type SegmentedControlProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  /** `lang`: of the label, if it is not the portal's. */
  readonly options: readonly { readonly value: Value; readonly label: string; readonly lang?: string }[]
  readonly onChange: (value: Value) => void
}

/** Two or three views of one list, of which one is shown. */
export const SegmentedControl = <Value extends string>({
  label,
  value: chosen,
  options,
  onChange,
}: SegmentedControlProps<Value>) => (
  <Frame role="group" aria-label={label}>
    {options.map(({ value, label: text, lang }) => (
      <Segment key={value} aria-pressed={value === chosen} onClick={() => onChange(value)}>
        <span lang={lang}>{text}</span>
      </Segment>
    ))}
  </Frame>
)
