import { styled } from '@mui/material/styles'

/** The figures are fixed values of the specification; the portal does not record them. */
export const sampleProgress = 'Sample value: progress is not recorded yet.'
export const sampleProgresses = 'Sample values: progress is not recorded yet.'
export const samplePayment = 'Sample value: registration fees are not recorded.'

/** One quiet line below a figure that is the same for everyone. */
export const SampleNote = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: theme.spacing(-2, 0, 0),
  color: theme.vars.palette.text.secondary,
}))
