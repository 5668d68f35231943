import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { ChevronLeftIcon } from './icons/chevron-left.tsx'

const Back = styled(Link)(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  minHeight: 44,
  marginLeft: -6,
  paddingRight: theme.spacing(2),
  borderRadius: 6,
  color: theme.vars.palette.text.secondary,
  textDecoration: 'none',
  '&:hover': { color: theme.vars.palette.text.primary },
}))

/** Up to the list that this page belongs to. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Back to={to}>
    <ChevronLeftIcon size={20} />
    {children}
  </Back>
)
