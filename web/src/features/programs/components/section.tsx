import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useId, type ReactNode } from 'react'

const Frame = styled('section')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4), minWidth: 0 }))

/** A section of a page with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <Frame aria-labelledby={id}>
      <Typography variant="h2" id={id}>
        {title}
      </Typography>
      {children}
    </Frame>
  )
}
