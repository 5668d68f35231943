import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useSession } from '../../lib/session.ts'
import { ColumnsIllustration } from '../../ui/illustrations.tsx'
import { BellIcon, ChevronRightIcon, ProfileIcon, ProgramIcon } from '../../ui/icons.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyState } from '../../ui/states.tsx'

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

/** The landing page of faculty members: it says that there are no teaching tools yet and links to their other pages. */
export const FacultyDashboardPage = () => {
  const session = useSession()
  if (!session) return null
  return (
    <>
      <PageTitle title={`Welcome, ${session.user.fullName}`} tabTitle="Faculty" />
      <EmptyState
        illustration={<ColumnsIllustration />}
        text="No teaching tools yet"
        detail="They are not part of the portal yet."
      />
      <Rows>
        <LinkRow to="/notification" icon={<BellIcon />} name="Notifications" description="Messages from the center" />
        <LinkRow to="/home" icon={<ProgramIcon />} name="Minor programs" description="The page that learners see" />
        <LinkRow to="/profile" icon={<ProfileIcon />} name="Profile" description="Your name, password and appearance" />
      </Rows>
    </>
  )
}
