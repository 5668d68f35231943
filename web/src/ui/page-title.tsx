import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useAtomValue } from '../lib/jotai.ts'
import { attentionCountAtom, countText } from './attention.ts'

const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 4),
  minHeight: 44,
  marginBottom: theme.spacing(5),
}))

export const productName = 'Minor Programs'

/** The screen's title and, beside it, what can be done to all of it. Also the title of the browser's tab. */
export const PageTitle = ({ title, actions }: { title: string; actions?: ReactNode }) => {
  const waiting = useAtomValue(attentionCountAtom)
  return (
    <Head>
      <title>{`${waiting > 0 ? `(${countText(waiting)}) ` : ''}${title} · ${productName}`}</title>
      <Typography variant="h1">{title}</Typography>
      {actions}
    </Head>
  )
}
