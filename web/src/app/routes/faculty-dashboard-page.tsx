import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useSession } from '../../lib/session.ts'
import { LatestNotifications } from '../../features/notifications/components/latest-notifications.tsx'
import { ChevronRightIcon, InfoIcon, ProfileIcon, ProgramIcon } from '../../ui/icons.tsx'
import { isGreetable } from '../../ui/greetable.ts'
import { PageTitle } from '../../ui/page-title.tsx'

const Stack = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(10),
}))

const Rows = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const Row = styled(Link)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: theme.spacing(4),
  padding: theme.spacing(4, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '& svg': { color: theme.vars.palette.text.secondary },
}))

type LinkRowProps = {
  readonly to: string
  readonly icon: ReactNode
  readonly name: string
  readonly description: string
}

const LinkRow = ({ to, icon, name, description }: LinkRowProps) => (
  <li>
    <Row to={to}>
      {icon}
      <div>
        <Typography variant="subtitle1" component="p">
          {name}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {description}
        </Typography>
      </div>
      <ChevronRightIcon size={20} />
    </Row>
  </li>
)

/** The landing page of faculty members: the latest notifications, and links to the programs as learners see them. */
export const FacultyDashboardPage = () => {
  const session = useSession()
  if (!session) return null
  const name = session.user.fullName.trim()
  return (
    <>
      <PageTitle title={isGreetable(name) ? `Welcome, ${name}` : 'Welcome'} tabTitle="Faculty" />
      <Stack>
        <LatestNotifications />
        <Rows>
          <LinkRow
            to="/my-program"
            icon={<ProgramIcon />}
            name="Minor programs"
            description="As learners see them, with fees, tools and faculty"
          />
          <LinkRow to="/home#about-minor" icon={<InfoIcon />} name="About the Minor" description="The public page" />
          <LinkRow
            to="/profile"
            icon={<ProfileIcon />}
            name="Profile"
            description="Your name, password and appearance"
          />
        </Rows>
      </Stack>
    </>
  )
}
