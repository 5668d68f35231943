import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { clickNotification } from '@portal/contracts/notifications/inbox-http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { destinationOf, type NotificationButton } from '@portal/contracts/notifications/notification-button'
import { isPortalPath } from '@portal/contracts/shared/https-address'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { call } from '../../../lib/http.ts'
import { languageOf } from '../../../ui/text-language.ts'

type ButtonLinkProps = { readonly id: InboxItem['_id']; readonly button: NotificationButton }

const placeOf = ({ url }: NotificationButton) =>
  isPortalPath(url)
    ? { component: Link, to: url }
    : // Like a link in a message, it gives the other page neither an address nor a handle.
      { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }

/** The button of a notification, and where it leads if that is out of the portal. */
export const ButtonLink = ({ id, button }: ButtonLinkProps) => {
  const placeId = useId()
  const isInside = isPortalPath(button.url)
  // A count for the sender, so its failure is none of the reader's business.
  const recordClick = () => void call(clickNotification, { params: { id }, outlivesPage: true })
  return (
    <>
      <Button
        {...placeOf(button)}
        fullWidth
        size="large"
        lang={languageOf(button.label)}
        aria-describedby={isInside ? undefined : placeId}
        onClick={recordClick}
        sx={{ textAlign: 'center', overflowWrap: 'anywhere', lineHeight: 1.4 }}
      >
        <span>{button.label}</span>
      </Button>
      {!isInside && (
        <Typography
          id={placeId}
          variant="caption"
          component="p"
          color="textSecondary"
          sx={{ marginTop: 1, textAlign: 'center', overflowWrap: 'anywhere' }}
        >
          {`Opens ${destinationOf(button)} in a new tab`}
        </Typography>
      )}
    </>
  )
}
