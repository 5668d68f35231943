import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Steps = styled('ol')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& li': { display: 'grid', gridTemplateColumns: '44px minmax(0, 1fr)', alignItems: 'center', gap: theme.spacing(3) },
  '& svg': {
    width: 44,
    height: 44,
    padding: theme.spacing(2),
    borderRadius: theme.portal.radii.control,
    color: theme.vars.palette.primary.main,
    background: theme.vars.palette.portal.accentSoft,
  },
}))

/** As iOS draws its buttons. */
const Drawing = ({ children }: { children: ReactNode }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
)

export const HomeScreenSteps = () => (
  <Steps>
    <li>
      <Drawing>
        <path d="M8.5 9.5H6v11h12v-11h-2.5M12 14.5V3M8.5 6.5 12 3l3.5 3.5" />
      </Drawing>
      Tap Share in the bar of the browser.
    </li>
    <li>
      <Drawing>
        <path d="M6.5 4h11A2.5 2.5 0 0 1 20 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5v-11A2.5 2.5 0 0 1 6.5 4zM12 8.5v7M8.5 12h7" />
      </Drawing>
      Choose Add to Home Screen.
    </li>
    <li>
      <Drawing>
        <path d="M6 17V10.5a6 6 0 0 1 12 0V17l1.5 2h-15zM10 21.5h4" />
      </Drawing>
      Open the portal from there, and turn notifications on.
    </li>
  </Steps>
)
