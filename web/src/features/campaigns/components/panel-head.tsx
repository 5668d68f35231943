import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

const Head = styled('header')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  alignItems: 'center',
  columnGap: theme.spacing(4),
  minHeight: 48,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

type PanelHeadProps = {
  readonly id: string
  readonly title: string
  /** Shown instead of the title, for example a choice of which it is one. */
  readonly lead?: ReactNode
  readonly children?: ReactNode
}

/** The header of a column. The headers of both columns are aligned. */
export const PanelHead = ({ id, title, lead, children }: PanelHeadProps) => (
  <Head>
    {lead === undefined ? (
      <Typography id={id} variant="h2">
        {title}
      </Typography>
    ) : (
      <div>
        <VisuallyHidden as="h2" id={id}>
          {title}
        </VisuallyHidden>
        {lead}
      </div>
    )}
    {children}
  </Head>
)
