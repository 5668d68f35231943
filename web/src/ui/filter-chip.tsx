import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Chip = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(1.5),
  minHeight: theme.portal.sizes.target,
  maxWidth: '100%',
  padding: theme.spacing(1, 3),
  borderRadius: theme.portal.radii.control,
  border: `1px solid ${theme.vars.palette.divider}`,
  fontVariantNumeric: 'tabular-nums',
  overflowWrap: 'anywhere',
  textAlign: 'left',
  color: theme.vars.palette.text.secondary,
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '&:hover': { borderColor: theme.vars.palette.text.primary },
  '&[aria-pressed="true"]': {
    borderColor: theme.vars.palette.text.primary,
    boxShadow: `inset 0 0 0 1px ${theme.vars.palette.text.primary}`,
    color: theme.vars.palette.text.primary,
  },
}))

type FilterChipProps = {
  readonly isActive: boolean
  readonly onPress: () => void
  /** A longer explanation, on hover. */
  readonly title?: string
  readonly children: ReactNode
}

/** A condition that is switched on and off. */
export const FilterChip = ({ isActive, onPress, title, children }: FilterChipProps) => (
  <Chip aria-pressed={isActive} onClick={onPress} title={title ?? ''}>
    <span>{children}</span>
  </Chip>
)
