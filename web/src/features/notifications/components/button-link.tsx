import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { hostOf, type NotificationButton } from '@portal/contracts/notifications/notification-button'
import { useId } from 'react'
import { languageOf } from '../../../ui/text-language.ts'

/**
 * The button of a notification, and where it leads. Like a link in a message, it gives the other page neither an address nor a
 * handle.
 */
export const ButtonLink = ({ button }: { readonly button: NotificationButton }) => {
  const id = useId()
  return (
    <>
      <Button
        href={button.url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        fullWidth
        size="large"
        lang={languageOf(button.label)}
        aria-describedby={id}
        sx={{ textAlign: 'center', overflowWrap: 'anywhere', lineHeight: 1.4 }}
      >
        <span>{button.label}</span>
      </Button>
      <Typography
        id={id}
        variant="caption"
        component="p"
        color="textSecondary"
        sx={{ marginTop: 1, textAlign: 'center', overflowWrap: 'anywhere' }}
      >
        {`Opens ${hostOf(button)} in a new tab`}
      </Typography>
    </>
  )
}
