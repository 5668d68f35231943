import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** What a learner's page is for, within a thumb's reach while one reads: above the bottom bar. Last of what the page holds. */
export const ActionBar = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: `calc(${theme.portal.sizes.bottomBar}px + env(safe-area-inset-bottom))`,
  zIndex: 1,
  margin: theme.spacing(0, -5, -8),
  padding: theme.spacing(3, 5),
  background: theme.vars.palette.background.default,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  textAlign: 'center',
}))

const Frame = styled('div')(({ theme }) => ({
  flex: 1,
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(6),
  '& > :last-child': { marginTop: 'auto' },
}))

/** A page that ends with such a bar: at the foot of the window, however short the page is. The layout makes it fill the rest. */
export const ActionPage = ({ children }: { children: ReactNode }) => <Frame data-fills>{children}</Frame>
