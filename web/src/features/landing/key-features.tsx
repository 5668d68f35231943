import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Measure } from './section.tsx'

const Band = styled('section')(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
}))

/** The section of the four key features, which are the list in it. */
export const KeyFeatures = ({ children }: { children: ReactNode }) => (
  <Band id="features" aria-labelledby="features-title">
    <Measure>
      <VisuallyHidden as="h2" id="features-title">
        Key features
      </VisuallyHidden>
      {children}
    </Measure>
  </Band>
)
