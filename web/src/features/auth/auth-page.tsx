import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import { Link as RouterLink, useLocation, useNavigate, type LinkProps } from 'react-router-dom'
import { loginStateOf, type RedirectTarget } from '../../lib/post-login-redirect.ts'
import { productName } from '../../ui/page-title.tsx'

/** Redirects after a delay, unless the user leaves the page first. The redirect replaces the form in the history. */
export const useRedirect = () => {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    ({ to, state }: RedirectTarget, afterMs: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => navigate(to, { replace: true, state }), afterMs)
    },
    [navigate],
  )
}

/** A link to another page of this feature that keeps the page to return to after the login. */
export const AuthLink = (props: LinkProps) => {
  const { state } = useLocation()
  return <RouterLink {...props} state={loginStateOf(state)} />
}

const Page = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(6) }))

const Head = styled('header')(({ theme }) => ({ display: 'grid', gap: theme.spacing(2) }))

/** One column of fields. */
export const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5) }))

/** One column of buttons, where there is nothing to fill in. */
export const Choices = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3) }))

/** Back on the left, as wide as its text; the main button fills the rest. */
export const Actions = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: theme.spacing(3),
}))

/** A link that belongs to a field, below it on the right. */
export const Aside = styled('div')(({ theme }) => ({
  display: 'flex',
  justifyContent: 'flex-end',
  // A touch target of 44 px around the text.
  '& > a': { paddingBlock: theme.spacing(3), marginBottom: theme.spacing(-3) },
}))

const NoticeLine = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  padding: theme.spacing(3, 4),
  borderLeft: `3px solid ${theme.vars.palette.primary.main}`,
  backgroundColor: theme.vars.palette.portal.accentSoft,
}))

/** Why the user was sent to this page. */
export const Notice = ({ children }: { children: ReactNode }) => <NoticeLine role="status">{children}</NoticeLine>

const PublicPages = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  textAlign: 'center',
  '& > a': { display: 'inline-block', paddingBlock: theme.spacing(3), marginBlock: theme.spacing(-3) },
}))

/** A link for visitors who want to see the programs first. */
export const ProgramsLink = () => (
  <PublicPages>
    <Link component={RouterLink} to="/home" color="textSecondary">
      See the programs
    </Link>
  </PublicPages>
)

/** The same as a button, for a page that many open without knowing the program. */
export const ProgramsButton = () => (
  <Button component={RouterLink} to="/home" size="large" variant="outlined" color="secondary" fullWidth>
    See the programs
  </Button>
)

const FactRow = styled('dl')(({ theme }) => ({
  display: 'flex',
  justifyContent: 'space-between',
  gap: theme.spacing(4),
  margin: theme.spacing(0, 0, 4),
  paddingBottom: theme.spacing(4),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& div': { display: 'flex', flexDirection: 'column-reverse' },
  '& dt': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  '& dd': { ...theme.typography.h2, margin: 0, fontVariantNumeric: 'tabular-nums' },
  // There, the panel beside the form has them.
  [theme.breakpoints.up('md')]: { display: 'none' },
}))

/** The program in three numbers, for a visitor who does not know it. */
export const ProgramFacts = () => (
  <FactRow aria-label="The program">
    <div>
      <dt>Minor tracks</dt>
      <dd>4</dd>
    </div>
    <div>
      <dt>semesters</dt>
      <dd>3</dd>
    </div>
    <div>
      <dt>total fee</dt>
      <dd>₹45,000</dd>
    </div>
  </FactRow>
)

type AuthPageProps = {
  readonly title: string
  readonly subtitle?: ReactNode
  /** The progress through the steps, shown above the title. */
  readonly above?: ReactNode
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** The layout that login, registration and password reset share: title, subtitle, form and footer. */
export const AuthPage = ({ title, subtitle, above, footer, children }: AuthPageProps) => {
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title])
  return (
    <Page>
      <Head>
        {above}
        <Typography variant="h1">{title}</Typography>
        {subtitle !== undefined && <Typography color="textSecondary">{subtitle}</Typography>}
      </Head>
      {children}
      {footer}
    </Page>
  )
}
