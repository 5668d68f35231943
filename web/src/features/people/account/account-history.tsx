import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { AccountHistoryEntry } from '@portal/contracts/auth/accounts'
import { roleName } from '../../../ui/role-name.ts'
import { exactTime } from '../../../ui/time.tsx'

const Section = styled('section')(({ theme }) => ({ marginTop: theme.spacing(8) }))

const List = styled('ol')(({ theme }) => ({
  margin: theme.spacing(3, 0, 0),
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
}))

const textOf = ({ what, role }: AccountHistoryEntry): string => {
  switch (what) {
    case 'registered':
      return 'Registered'
    case 'email-proved':
      return 'Email address verified'
    case 'name-changed':
      return 'Name changed'
    case 'corrected':
      return 'University or mobile number corrected'
    case 'password-changed':
      return 'Password changed'
    case 'password-reset':
      return 'Password reset'
    case 'password-set':
      return 'Password set by an operator'
    case 'role-changed':
      return role === undefined ? 'Role changed' : `Role changed to ${roleName(role)}`
    case 'deactivated':
      return 'Deactivated'
    case 'reactivated':
      return 'Reactivated'
    case 'second-factor-reset':
      return 'Two-step verification turned off'
    case 'signed-out':
      return 'Signed out of all devices'
  }
}

/** What was done to an account and by whom, newest first. */
export const AccountHistory = ({ history }: { readonly history: readonly AccountHistoryEntry[] }) => (
  <Section aria-labelledby="history-heading">
    <Typography variant="h2" id="history-heading">
      What was done
    </Typography>
    <List>
      {history.map((entry) => (
        <li key={`${entry.at} ${entry.what}`}>
          <Typography variant="subtitle1" component="p">
            {entry.reason === undefined ? textOf(entry) : `${textOf(entry)}: ${entry.reason}`}
          </Typography>
          <Typography variant="caption" color="textSecondary">
            {entry.by === undefined ? exactTime(entry.at) : `${exactTime(entry.at)} by ${entry.by}`}
          </Typography>
        </li>
      ))}
    </List>
  </Section>
)
