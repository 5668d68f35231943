import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Head = styled('header')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  alignItems: 'center',
  columnGap: theme.spacing(4),
  minHeight: 48,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

type PanelHeadProps = { readonly id: string; readonly title: string; readonly children?: ReactNode }

/** The header of a column. The headers of both columns are aligned. */
export const PanelHead = ({ id, title, children }: PanelHeadProps) => (
  <Head>
    <Typography id={id} variant="h2">
      {title}
    </Typography>
    {children}
  </Head>
)
