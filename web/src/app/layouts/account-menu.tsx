import ButtonBase from '@mui/material/ButtonBase'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { Appearance } from '../../features/profile/components/appearance.tsx'
import { LogOutButton } from '../../features/profile/components/log-out-button.tsx'
import { useCloseOnBack } from '../../lib/history-guard.ts'
import { useSession } from '../../lib/session.ts'
import { ProfileIcon } from '../../ui/icons.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

const Account = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  alignItems: 'center',
  gap: theme.spacing(3),
  minWidth: theme.portal.sizes.target,
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(1, 2),
  borderRadius: theme.portal.radii.control,
  textAlign: 'left',
  '&.compact': { gridTemplateColumns: 'auto', padding: 0, justifyItems: 'center' },
  '&:hover': { background: theme.vars.palette.background.paper },
}))

const Initials = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 36,
  height: 36,
  borderRadius: '50%',
  color: theme.vars.palette.primary.main,
  background: theme.vars.palette.portal.accentSoft,
}))

const Name = styled('span')({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' })

const Choices = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  padding: theme.spacing(5),
  '& > .MuiButton-root': { justifyContent: 'flex-start' },
}))

/** Who is signed in, with what belongs to the person: the appearance, the profile and the log-out. */
export const AccountMenu = ({ isCompact }: { readonly isCompact: boolean }) => {
  const session = useSession()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  useCloseOnBack(anchor !== null, () => setAnchor(null))
  const name = session?.user.fullName ?? ''
  return (
    <>
      <Account
        className={isCompact ? 'compact' : undefined}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? id : undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <Initials aria-hidden="true">{initialsOf(name)}</Initials>
        {isCompact ? <VisuallyHidden>{`Account of ${name}`}</VisuallyHidden> : <Name title={name}>{name}</Name>}
      </Account>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={isCompact ? { vertical: 'bottom', horizontal: 'right' } : { vertical: 'top', horizontal: 'left' }}
        transformOrigin={
          isCompact ? { vertical: 'top', horizontal: 'right' } : { vertical: 'bottom', horizontal: 'left' }
        }
        slotProps={{ paper: { id, role: 'dialog', 'aria-label': 'Account' } }}
      >
        <Choices>
          <Appearance />
          <Button
            component={Link}
            to="/admin/profile"
            variant="outlined"
            color="secondary"
            startIcon={<ProfileIcon size={20} />}
            onClick={() => setAnchor(null)}
          >
            Profile
          </Button>
          <LogOutButton />
        </Choices>
      </Popover>
    </>
  )
}
