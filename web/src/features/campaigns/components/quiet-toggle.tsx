import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'

/** Adds or removes an optional part of the form. Narrower than the form, so that it does not weigh as much as a field. */
export const Quiet = styled(Button)(({ theme }) => ({
  justifySelf: 'start',
  minHeight: theme.portal.sizes.target,
  marginLeft: theme.spacing(-3),
}))
