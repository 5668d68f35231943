import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { destinationOf, type NotificationButton } from '@portal/contracts/notifications/notification-button'
import { languageOf } from '../../../ui/text-language.ts'

const Face = styled('span')(({ theme }) => ({
  ...theme.typography.button,
  display: 'block',
  padding: theme.spacing(2, 4),
  borderRadius: theme.portal.radii.control,
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  textAlign: 'center',
  overflowWrap: 'anywhere',
}))

/** The button of a notification as the learner sees it, but not to be pressed: its address can be read and copied. */
export const ButtonPreview = ({ button }: { readonly button: NotificationButton }) => (
  <div role="group" aria-label="Button">
    <Face lang={languageOf(button.label)}>{button.label}</Face>
    <Typography
      variant="caption"
      component="p"
      color="textSecondary"
      sx={{ marginTop: 1, textAlign: 'center', overflowWrap: 'anywhere' }}
    >
      {destinationOf(button)}
    </Typography>
  </div>
)
