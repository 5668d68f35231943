import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'

/** A part of the form that most notifications do without, once it is wanted. */
export const OptionalFields = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  '& > *': { minWidth: 0 },
}))

/** Adds or removes such a part. Narrower than the form, so that it does not weigh as much as a field. */
export const Quiet = styled(Button)(({ theme }) => ({
  justifySelf: 'start',
  minHeight: theme.portal.sizes.target,
  marginLeft: theme.spacing(-3),
}))
