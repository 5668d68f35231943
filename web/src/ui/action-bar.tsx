import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** The main action of a learner's page, fixed above the bottom bar within reach of a thumb. The last element of the page. */
export const ActionBar = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 'calc(var(--bottom-bar) + env(safe-area-inset-bottom))',
  zIndex: 1,
  margin: theme.spacing(0, -5, -8),
  padding: theme.spacing(3, 5),
  background: theme.vars.palette.background.default,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  textAlign: 'center',
  [theme.portal.shortWindow]: { position: 'static' },
}))

const Frame = styled('div')(({ theme }) => ({
  flex: 1,
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(6),
  '& > :last-child': { marginTop: 'auto' },
}))

/** A page with an ActionBar. It fills the window, so that the bar is at the bottom even on a short page. */
export const ActionPage = ({ children }: { children: ReactNode }) => <Frame data-fills>{children}</Frame>
