import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { contact } from './content.ts'
import { SectionTitle } from './section.tsx'

const Block = styled('section')(({ theme }) => ({
  outline: 'none',
  '& p': { color: theme.vars.palette.text.secondary, maxWidth: '30ch', margin: theme.spacing(5, 0, 8) },
  '& dl': { margin: 0, borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dl > div': { padding: theme.spacing(3, 0), borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  '& dd': { ...theme.typography.h3, margin: 0 },
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    color: theme.vars.palette.primary.main,
    textUnderlineOffset: '0.2em',
    textDecorationThickness: 1,
  },
  '& address': { fontStyle: 'normal', paddingBlock: theme.spacing(2) },
}))

export const Contact = ({ children }: { children: ReactNode }) => (
  <Block id="contact" aria-labelledby="contact-title" tabIndex={-1}>
    <SectionTitle id="contact-title">{contact.title}</SectionTitle>
    {children}
  </Block>
)
